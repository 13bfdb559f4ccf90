// hard: keeps a CPU busy with what makes stacks hard to follow, without frame pointers: signal handlers on a stack
// of their own, callbacks from libc, frames of variable and of great size, deep recursion, the vDSO, and longjmp().
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))
enum { kNumbers = 40, kDepth = 150, kStackBytes = 1 << 16, kMicroseconds = 700 };

static volatile long sink;
static volatile sig_atomic_t ticks;
static jmp_buf out;

static int compare(const void* a, const void* b) {
  sink += getppid();
  return *(const int*)a - *(const int*)b;
}

KEEP static void sorted(unsigned seed) {
  int numbers[kNumbers];
  for (int i = 0; i < kNumbers; ++i) numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 8);
  qsort(numbers, kNumbers, sizeof *numbers, compare);
  sink += numbers[0];
}

// The frame's size is known to rbp alone.
KEEP static void variable(size_t size) {
  char* bytes = alloca(size);
  memset(bytes, (int)size, size);
  sorted((unsigned)size);
  sink += bytes[size / 2];
}

KEEP static void great(int byte) {
  char bytes[20000];
  memset(bytes, byte, sizeof bytes);
  sink += bytes[byte];
}

KEEP static long deep(int depth) {
  if (depth == 0) great(7);
  return depth == 0 ? getppid() : deep(depth - 1) + sink;
}

KEEP static void thrown(int depth) {
  if (depth > 0) thrown(depth - 1);
  if (depth == 0) longjmp(out, 1);
  sink += depth;
}

static void on_tick(int number, siginfo_t* info, void* context) {
  (void)info, (void)context;
  ++ticks;
  sorted((unsigned)number);
  sink += deep(3);
}

int main(void) {
  static char stack[kStackBytes];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART};
  const struct itimerval every = {{0, kMicroseconds}, {0, kMicroseconds}};
  if (sigaltstack(&other, NULL) != 0 || sigaction(SIGPROF, &action, NULL) != 0) return 1;
  if (setitimer(ITIMER_PROF, &every, NULL) != 0) return 1;
  static unsigned i;  // longjmp() leaves it as it is
  for (;; ++i) {
    struct timespec now;
    for (int k = 0; k < 100; ++k) clock_gettime(CLOCK_MONOTONIC, &now);
    variable(16 + i % 3000);
    sink += deep((int)(i % kDepth)) + now.tv_nsec;
    if (setjmp(out) == 0) thrown((int)(i % 9));
  }
}
