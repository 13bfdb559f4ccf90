// contend THREADS ROUNDS: threads that use one pipe, change one address space, make threads and ask for processes, so that
// they wait for the locks of all these. Its last line: how long it took, in ns.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

enum { kPage = 4096 };

static int ends[2];
static long rounds;

static long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void* nothing(void* unused) { return unused; }

static void* work(void* unused) {
  (void)unused;
  for (long i = 0; i < rounds; ++i) {
    // Pages that are not there yet: who copies has the pipe's mutex and waits for the address space.
    char* const pages = mmap(0, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (write(ends[1], pages, kPage) != kPage || read(ends[0], pages + kPage, kPage) != kPage) exit(1);
    munmap(pages, 2 * kPage);
    pthread_t thread;
    if (i % 10 == 0 && (pthread_create(&thread, 0, nothing, 0) != 0 || pthread_join(thread, 0) != 0)) exit(1);
    kill(0, 0);  // looks for processes; to send them nothing
  }
  return 0;
}

int main(int count, char** words) {
  if (count != 3 || pipe(ends) != 0) return 2;
  rounds = atol(words[2]);
  const long from = now_ns();
  const int status = run_threads(atoi(words[1]), work);
  printf("took %ld\n", now_ns() - from);
  return status;
}
