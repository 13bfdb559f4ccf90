// spin THREADS MILLISECONDS: keeps that many threads busy in user space, each
// bound to a CPU of its own as far as there are enough, for that long.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static long limit_ms;

// Binds the calling thread to the n-th CPU that it may use.
static void bind_to(long n) {
  cpu_set_t may, one;
  if (sched_getaffinity(0, sizeof may, &may) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &may) || n-- > 0) continue;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

static void* run(void* number) {
  struct timespec from, now;
  bind_to((long)number);
  clock_gettime(CLOCK_MONOTONIC, &from);
  do {
    for (volatile int i = 0; i < 100000; ++i) {
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < limit_ms);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int threads = atoi(argv[1]);
  limit_ms = atol(argv[2]);
  pthread_t ids[64];
  if (threads < 1 || threads > 64) return 2;
  for (long i = 0; i < threads; ++i) {
    if (pthread_create(&ids[i], 0, run, (void*)i) != 0) return 1;
  }
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], 0);
  return 0;
}
