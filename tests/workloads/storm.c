// storm THREADS CALLS: each thread makes exactly CALLS getppid() system calls,
// as fast as it can.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "threads.h"

static long calls;

static void* run(void* unused) {
  (void)unused;
  for (long i = 0; i < calls; ++i) syscall(SYS_getppid);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  calls = atol(argv[2]);
  return run_threads(atoi(argv[1]), run);
}
