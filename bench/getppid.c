// The workload of the per-event benchmarks: `getppid CALLS [DEPTH]` makes that many
// getppid() system calls and prints the nanoseconds of CPU time that one took, below
// so many calls of a function by itself.
// Each is given a path, which the kernel does not look at: it is for probes to
// read, and so it lies where this program has written, in memory that is there.
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int measure(long calls) {
  char path[] = "/usr/share/dict/words";
  struct timespec from, to;
  for (long i = 0; i < calls / 10; ++i) syscall(SYS_getppid, path);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
  for (long i = 0; i < calls; ++i) syscall(SYS_getppid, path);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
  const double ns = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
  printf("%.2f\n", ns / (double)calls);
  return 1;
}

__attribute__((noinline, noclone)) static long deep(long depth, long calls) {
  const long result = depth <= 0 ? measure(calls) : deep(depth - 1, calls);
  __asm__ volatile("" ::: "memory");  // what is behind the call keeps it one
  return result + depth;
}

int main(int argc, char** argv) {
  return deep(argc > 2 ? atol(argv[2]) : 0, argc > 1 ? atol(argv[1]) : 1000000) == 0;
}
