// A program that knows whether it was disturbed: what it computes goes through all of its code
// and through data that stand among it, and it prints the sum. Without a C library: the kernel
// needs of its file the segments only, so that all else may be damaged.
#define _SDT_HAS_SEMAPHORES 1
#include <dtrace/sdt.h>

#define OWN __attribute__((noinline))

DTRACE_SDT_COUNTED(checked_step_semaphore) = 0;
DTRACE_SDT_COUNTED(checked_sum__made_semaphore) = 0;

static unsigned long state = 0x9e3779b97f4a7c15;
struct node {
  int value;
  struct node *next;
};

// Data among the code, and a function that is entered in two places.
extern const unsigned char table[64];
long twice(long), once(long);
__asm__(
    ".text\n"
    ".type table, @object\n"
    "table: .rept 8\n.byte 0x55, 0x48, 0x89, 0xe5, 0xc3, 0x0f, 0x1f, 0xe8\n.endr\n"
    ".size table, 64\n"
    ".type twice, @function\n"
    "twice: add %rdi, %rdi\n"
    ".type once, @function\n"
    "once: lea 1(%rdi), %rax\n"
    "  ret\n"
    ".size once, . - once\n"
    ".size twice, . - twice\n");

static inline __attribute__((always_inline)) unsigned long turn(unsigned long a) { return a << 7 | a >> 57; }
OWN static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
OWN static long leaf(long a, long b) {
  volatile long red[8];
  for (int i = 0; i < 8; i++) red[i] = a * i ^ b;
  return red[a & 7] + red[b & 7];
}
OWN static long choose(long n) {
  switch (n % 7) {
    case 0: return leaf(n, 3);
    case 1: return twice(n);
    case 2: return once(n) * 5;
    case 3: return fib(n % 11);
    case 4: return -n;
    case 5: return leaf(n + 1, n);
    default: return n / 3;
  }
}
OWN static long walk(const struct node *node) {
  long sum = 0;
  for (; node; node = node->next) sum += node->value;
  return sum;
}
OWN static unsigned long scan(void) {
  unsigned long sum = 0;
  for (int i = 0; i < 64; i++) sum = turn(sum) + table[i];
  return sum;
}
OWN static long onward(long n) { return choose(n + 1); }
OWN static void step(long n) {
  struct node last = {(int)n, 0}, first = {(int)n * 2, &last};
  DTRACE_PROBE2(checked, step, n, state);
  state = turn(state) ^ (unsigned long)onward(n);
  state += (unsigned long)walk(&first) * scan();
}
OWN static long call(long number, long a, const void *b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}
OWN static void print(unsigned long n) {
  char text[17];
  for (int i = 0; i < 16; i++) text[i] = "0123456789abcdef"[n >> (60 - i * 4) & 15];
  text[16] = '\n';
  call(1, 1, text, 17);
}
__attribute__((force_align_arg_pointer)) void _start(void) {
  for (long n = 0; n < 10; n++) step(n);
  // Only counters may have changed, and those of nobody else.
  DTRACE_PROBE1(checked, sum__made, state);
  print(state);
  call(231, (long)(state % 50), 0, 0);
}
