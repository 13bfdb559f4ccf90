// storm THREADS CALLS: each thread makes exactly CALLS getppid() system calls,
// as fast as it can.
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;

static void* run(void* unused) {
  (void)unused;
  for (long i = 0; i < calls; ++i) syscall(SYS_getppid);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int threads = atoi(argv[1]);
  calls = atol(argv[2]);
  pthread_t ids[64];
  if (threads < 1 || threads > 64) return 2;
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&ids[i], 0, run, 0) != 0) return 1;
  }
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], 0);
  return 0;
}
