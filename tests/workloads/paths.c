// paths THREADS ROUNDS: each thread goes all 1,024 ways down ten calls that are
// made from one of two places, and at the end of each makes one getppid() system
// call, ROUNDS times over. All functions have frame pointers.
#include <stdlib.h>
#include <sys/syscall.h>

#include "threads.h"

enum { kDepth = 10 };

static long rounds;

static void walk(int depth, unsigned way) {
  if (depth == 0) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
    return;
  }
  if (way & 1) {
    walk(depth - 1, way >> 1);
  } else {
    walk(depth - 1, way >> 1);
  }
}

static void* run(void* unused) {
  (void)unused;
  for (long i = 0; i < rounds; ++i) {
    for (unsigned way = 0; way < 1u << kDepth; ++way) walk(kDepth, way);
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  rounds = atol(argv[2]);
  return run_threads(atoi(argv[1]), run);
}
