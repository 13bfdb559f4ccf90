// frames: getppid() three times from outer() > middle() > inner(), all with
// frame pointers, by an inline system call so that libc is not in between.
#include <sys/syscall.h>

__attribute__((noinline, noclone)) long inner(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
  return result + 1;
}
__attribute__((noinline, noclone)) long middle(void) { return inner() + 1; }
__attribute__((noinline, noclone)) long outer(void) { return middle() + 1; }

int main(void) {
  long sum = 0;
  for (volatile int i = 0; i < 3; ++i) sum += outer();
  return sum == 0;
}
