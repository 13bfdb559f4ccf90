// The workload of the per-event benchmarks: `getppid CALLS` makes that many
// getppid() system calls and prints the nanoseconds of CPU time that one took.
// Each is given a path, which the kernel does not look at: it is for probes to
// read, and so it lies where this program has written, in memory that is there.
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const long calls = argc > 1 ? atol(argv[1]) : 1000000;
  char path[] = "/usr/share/dict/words";
  struct timespec from, to;
  for (long i = 0; i < calls / 10; ++i) syscall(SYS_getppid, path);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
  for (long i = 0; i < calls; ++i) syscall(SYS_getppid, path);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
  const double ns = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
  printf("%.2f\n", ns / (double)calls);
  return 0;
}
