// getppid N: makes exactly N getppid() system calls.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const long calls = argc > 1 ? atol(argv[1]) : 1;
  for (long i = 0; i < calls; ++i) {
    syscall(SYS_getppid);
  }
  return 0;
}
