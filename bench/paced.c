// paced GO RATE SECONDS THREADS: waits until the file GO exists, then makes
// getppid() system calls at RATE a second in all, in bursts of a tenth of a
// millisecond with naps between them, for SECONDS; prints how many it made. It
// may fall behind RATE: the count is true.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST_THREADS 64

struct share {
  pthread_t thread;
  long long from;
  double rate, seconds;
  long made;
};

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void* make_calls(void* argument) {
  struct share* share = argument;
  const struct timespec nap = {0, 100000};
  const long long until = share->from + (long long)(share->seconds * 1e9);
  prctl(PR_SET_TIMERSLACK, 1);
  for (long long now = share->from; now < until; now = now_ns()) {
    const long due = (long)((double)(now - share->from) * share->rate / 1e9);
    if (share->made >= due) nanosleep(&nap, 0);
    for (int burst = 0; share->made < due && burst < 1000; ++burst, ++share->made)
      syscall(SYS_getppid);
  }
  return 0;
}

int main(int argc, char** argv) {
  static struct share shares[MOST_THREADS];
  if (argc != 5) return 2;
  const int threads = atoi(argv[4]);
  if (threads < 1 || threads > MOST_THREADS) return 2;
  const struct timespec nap = {0, 2000000};
  while (access(argv[1], F_OK) != 0) nanosleep(&nap, 0);
  const long long from = now_ns();
  for (int i = 0; i < threads; ++i) {
    shares[i] = (struct share){0, from, atof(argv[2]) / threads, atof(argv[3]), 0};
    if (pthread_create(&shares[i].thread, 0, make_calls, &shares[i]) != 0) return 1;
  }
  long made = 0;
  for (int i = 0; i < threads; ++i) {
    pthread_join(shares[i].thread, 0);
    made += shares[i].made;
  }
  printf("%ld\n", made);
  return 0;
}
