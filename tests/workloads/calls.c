// calls: functions that are called a known number of times with known arguments. Prints what it has
// computed, and fails when a result is wrong. With an argument it goes on until it is told to end.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) long eight(long a, long b, long c, long d, long e, long f, long g, long h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
__attribute__((noinline)) long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((noinline)) const char* greet(const char* who) { return strcmp(who, "world") == 0 ? "hello" : who; }

// How compilers end and begin functions where they do not do it as above.
long two_returns(long), onward(long), marked(long), marked_loop(long), patched(long), swapped(long, long, long, long, long), no_end(void);
__asm__(
    ".text\n"
    ".type two_returns, @function\n"
    "two_returns: test %rdi, %rdi\n"
    "  je 1f\n"
    "  mov $1, %eax\n"
    "  ret\n"  // at 0xa
    "1: mov $2, %eax\n"
    "  ret\n"  // at 0x10
    ".size two_returns, . - two_returns\n"
    ".type onward, @function\n"
    "onward: add $1, %rdi\n"
    "  jmp two_returns\n"  // at 0x4
    ".size onward, . - onward\n"
    ".type marked, @function\n"
    "marked: endbr64\n"
    "  push %rbx\n"
    "  lea 1(%rdi), %rax\n"
    "  pop %rbx\n"
    "  ret\n"
    ".size marked, . - marked\n"
    // Comes back to what follows its endbr64: one call, however often.
    ".type marked_loop, @function\n"
    "marked_loop: endbr64\n"
    "1: push %rdi\n"
    "  pop %rax\n"
    "  sub $1, %rdi\n"
    "  jg 1b\n"
    "  ret\n"
    ".size marked_loop, . - marked_loop\n"
    // Room for a patch, and a red zone in use around such room.
    ".type patched, @function\n"
    "patched: .byte 0x0f, 0x1f, 0x44, 0, 0\n"
    "  mov %rdi, -8(%rsp)\n"
    "  mov %rdi, -128(%rsp)\n"
    "  .byte 0x0f, 0x1f, 0x44, 0, 0\n"
    "  mov -8(%rsp), %rax\n"
    "  add -128(%rsp), %rax\n"
    "  ret\n"
    ".size patched, . - patched\n"
    // What Linux takes for a nop: xchg %r8, %rax.
    ".type swapped, @function\n"
    "swapped: .byte 0x49, 0x90\n"
    "  add $1, %rax\n"
    "  ret\n"
    ".size swapped, . - swapped\n"
    // Data among the code.
    ".type no_end, @function\n"
    "no_end: jmp 1f\n"
    "  .byte 6, 7, 0x1e\n"
    "1: ret\n"
    ".size no_end, . - no_end\n"
    ".type without_size, @function\n"
    "without_size: ret\n"
    // What is no function: in the midst of an instruction, and among data.
    ".type inside, @function\n"
    "inside = two_returns + 1\n"
    ".size inside, 4\n"
    ".type beside, @function\n"
    "beside = told_data\n"
    ".size beside, 8\n"
    ".data\n"
    "told_data: .quad 0x90909090909090c3\n"
    ".text\n");

static volatile sig_atomic_t told;
static void tell(int signal) { told = signal; }

static void check(long got, long wanted, const char* what) {
  if (got == wanted) return;
  printf("%s is %ld and not %ld\n", what, got, wanted);
  exit(1);
}

// Through pointers, so that the compiler does not do it itself.
__attribute__((noinline)) void vectors(char* text) {
  void* (*volatile fill)(void*, int, size_t) = memset;
  size_t (*volatile length)(const char*) = strlen;
  char* (*volatile find)(const char*, int) = strchr;
  fill(text, 'x', 37);
  text[37] = 0;
  if (length(text) != 37 || find(text, 'y') != 0) exit(1);
}

static long all(void) {
  long sum = 0;
  for (long i = 0; i < 10; i++) {
    check(eight(i, 1, 2, 3, 4, 5, -6, 1000 * i), 8001 * i + 28, "eight");
    check(two_returns(i % 3), i % 3 == 0 ? 2 : 1, "two_returns");
    if (i > 10) no_end();
    check(onward(i - 5), i == 4 ? 2 : 1, "onward");
    check(marked(i), i + 1, "marked");
    check(marked_loop(5), 1, "marked_loop");
    check(patched(i), 2 * i, "patched");
    check(swapped(0, 0, 0, 0, i), i + 1, "swapped");
    sum += i;
  }
  check(fib(15), 610, "fib");
  if (strcmp(greet("world"), "hello") != 0 || strcmp(greet("you"), "you") != 0) exit(1);
  return sum;
}

int main(int argc, char** argv) {
  (void)argv;
  jmp_buf back;
  if (printf("%s", "") != 0) return 1;  // the constants are in memory from here on
  if (setjmp(back) == 0) {
    char text[64];
    check(all(), 45, "the sum");
    vectors(text);
    longjmp(back, 1);
  }
  if (argc > 1) {
    signal(SIGTERM, tell);
    while (!told) all(), usleep(1000);
  }
  puts("all is well");
  return 0;
}
