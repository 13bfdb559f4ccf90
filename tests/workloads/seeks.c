/* seeks PROCESSES TIMES VALUES: each process calls lseek(999, offset, SEEK_SET) TIMES times, with offsets
   0 ... VALUES-1 in an order that jumps about; the file does not exist. In the middle it calls getppid() once. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const long processes = atol(argv[1]), times = atol(argv[2]), values = atol(argv[3]);
  for (long p = 1; p < processes; ++p) {
    if (fork() == 0) break;
  }
  for (long i = 0; i < times; ++i) {
    if (i == times / 2) syscall(SYS_getppid);
    syscall(SYS_lseek, 999, i * 37 % values, SEEK_SET);
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
