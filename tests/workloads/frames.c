// frames: getppid() three times from outer() > middle() > inner(), all with
// frame pointers, by an inline system call so that libc is not in between. "fork":
// in a child that executes nothing; "exec": before and after it executes itself;
// "late": when it has read a byte.
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long inner(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
  return result + 1;
}
__attribute__((noinline, noclone)) long middle(void) { return inner() + 1; }
__attribute__((noinline, noclone)) long outer(void) { return middle() + 1; }

int main(int argc, char** argv) {
  long sum = 0;
  if (argc > 1 && strcmp(argv[1], "fork") == 0 && fork() != 0) return wait(NULL) < 0;
  char byte;
  if (argc > 1 && strcmp(argv[1], "late") == 0 && read(0, &byte, 1) != 1) return 1;
  for (volatile int i = 0; i < 3; ++i) sum += outer();
  if (argc > 1 && strcmp(argv[1], "exec") == 0) execl(argv[0], argv[0], (char*)NULL);
  return sum == 0;
}
