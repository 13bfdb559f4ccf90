// For workloads: threads that all do the same.
#include <pthread.h>

// Runs `work` in so many threads, to their ends; the exit status of main().
static int run_threads(int threads, void* (*work)(void*)) {
  pthread_t ids[64];
  if (threads < 1 || threads > 64) return 2;
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&ids[i], 0, work, 0) != 0) return 1;
  }
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], 0);
  return 0;
}
