// unwind: getppid() at the end of a chain of calls that keeps no frame pointers, by an
// inline system call so that libc is not in between. What the chain is:
//
//   deep N    N calls of a function by itself
//   alloca    through a frame whose size is not constant
//   aligned   through one that is aligned more than the stack is, and not constant
//   sort      through the C library: from a comparison of qsort()
//   signal    in a signal's handler, while a system call is made
//   altstack  the same on another stack
//   thread    in another thread
//   made      through code that was made at run time and keeps frame pointers
//   rbx       through assembler that keeps what its stack was in rbx, twice, and a function
//             that saves rbx
//   rbxsignal in a signal's handler, when such assembler was interrupted
//   returns   as "deep 3", while the kernel notices the returns of that function, and has
//             therefore put another return address in their place
#include <alloca.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, noclone))

static volatile long sink;

FUNCTION long leaf(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
  return result + 1;
}

FUNCTION long deep(long n) {
  const long result = n <= 1 ? leaf() : deep(n - 1);
  return result + n + sink;
}

FUNCTION long with_alloca(long n) {
  char* const bytes = alloca((size_t)(n * 100));
  memset(bytes, 1, (size_t)(n * 100));
  const long result = leaf();
  return result + bytes[n];
}

FUNCTION long with_alignment(long n) {
  char wide[128] __attribute__((aligned(128)));
  char* const bytes = alloca((size_t)(n * 100));
  memset(wide, 1, sizeof wide);
  memset(bytes, 2, (size_t)(n * 100));
  const long result = leaf();
  __asm__ volatile("" ::"r"(wide), "r"(bytes) : "memory");
  return result + bytes[n] + wide[n];
}

FUNCTION int compare(const void* a, const void* b) {
  static int calls;
  if (calls++ == 0) sink += leaf();
  return *(const int*)a - *(const int*)b;
}

FUNCTION long with_sort(void) {
  int numbers[3] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
  return numbers[0] + sink;
}

FUNCTION void handler(int number) { sink += leaf() + number; }

FUNCTION long with_signal(int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  const stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR1, &action, NULL);
  long result = kill(getpid(), SIGUSR1);
  return result + sink;
}

FUNCTION void* worker(void* argument) {
  sink += leaf();
  return argument;
}

FUNCTION long with_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return sink;
}

FUNCTION long with_made(void) {
  // push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret
  static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
  void* const place = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(place, code, sizeof code);
  long (*function)(long (*)(void));
  memcpy(&function, &place, sizeof function);
  return function(leaf) + sink;
}

// Calls its argument on a stack that is aligned to 64 bytes.
long in_rbx(long (*function)(void));
__asm__(
    ".text\n.type in_rbx, @function\nin_rbx:\n"
    ".cfi_startproc\n"
    "push %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset rbx, -16\n"
    "mov %rsp, %rbx\n.cfi_def_cfa_register rbx\n"
    "and $-64, %rsp\n"
    "call *%rdi\n"
    "mov %rbx, %rsp\n.cfi_def_cfa_register rsp\n"
    "pop %rbx\n.cfi_def_cfa_offset 8\n"
    "ret\n"
    ".cfi_endproc\n.size in_rbx, . - in_rbx\n");

FUNCTION long without_rbx(void) {
  long result = 0;
  __asm__ volatile("mov $-1, %%rbx" ::: "rbx");
  result += leaf();
  return result + sink;
}

FUNCTION long again(void) { return in_rbx(without_rbx) + sink; }

FUNCTION long with_rbx(void) { return in_rbx(again) + sink; }

FUNCTION long interrupted(void) {
  long result = SYS_kill;
  __asm__ volatile("syscall" : "+a"(result) : "D"(getpid()), "S"(SIGUSR1) : "rcx", "r11", "memory");
  return result + sink;
}

FUNCTION long with_rbx_and_signal(void) {
  const struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  return in_rbx(interrupted) + sink;
}

// A perf event of the type that counts returns (uprobe, config 1), of our own `deep`.
FUNCTION long with_returns(void) {
  extern char __executable_start;
  int type = 0;
  FILE* const file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
  if (file == NULL || fscanf(file, "%d", &type) != 1) return 0;
  fclose(file);
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.type = (unsigned)type;
  attr.size = sizeof attr;
  attr.config = 1;
  attr.uprobe_path = (unsigned long)"/proc/self/exe";
  attr.probe_offset = (unsigned long)((char*)deep - &__executable_start);
  const long event = syscall(SYS_perf_event_open, &attr, getpid(), -1, -1, 0);
  if (event < 0) return 0;
  const long result = deep(3);
  unsigned long count = 0;
  return read((int)event, &count, sizeof count) == sizeof count && count == 3 ? result : 0;
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "deep") == 0 && argc > 2) return deep(atol(argv[2])) == 0;
  if (strcmp(what, "alloca") == 0) return with_alloca(argc) == 0;
  if (strcmp(what, "aligned") == 0) return with_alignment(argc) == 0;
  if (strcmp(what, "sort") == 0) return with_sort() == 0;
  if (strcmp(what, "signal") == 0) return with_signal(0) == 0;
  if (strcmp(what, "altstack") == 0) return with_signal(SA_ONSTACK) == 0;
  if (strcmp(what, "thread") == 0) return with_thread() == 0;
  if (strcmp(what, "rbx") == 0) return with_rbx() == 0;
  if (strcmp(what, "rbxsignal") == 0) return with_rbx_and_signal() == 0;
  if (strcmp(what, "returns") == 0) return with_returns() == 0;
  if (strcmp(what, "made") == 0) return with_made() == 0;
  return 2;
}
