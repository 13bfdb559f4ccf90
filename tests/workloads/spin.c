// spin THREADS MILLISECONDS: keeps that many threads busy in user space.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static long limit_ms;

static void* run(void* unused) {
  (void)unused;
  struct timespec from, now;
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
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&ids[i], 0, run, 0) != 0) return 1;
  }
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], 0);
  return 0;
}
