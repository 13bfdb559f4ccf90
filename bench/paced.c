// paced GO RATE SECONDS: waits until the file GO exists, then makes getppid()
// system calls at RATE a second, in bursts of a tenth of a millisecond, for
// SECONDS; prints how many it made. It may fall behind RATE: the count is true.
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const double rate = atof(argv[2]);
  const double seconds = atof(argv[3]);
  const struct timespec nap = {0, 2000000};
  while (access(argv[1], F_OK) != 0) nanosleep(&nap, 0);
  const long long from = now_ns();
  const long long until = from + (long long)(seconds * 1e9);
  long made = 0;
  for (long long now = from; now < until; now = now_ns()) {
    const long due = (long)((double)(now - from) * rate / 1e9);
    for (int burst = 0; made < due && burst < 1000; ++burst, ++made) syscall(SYS_getppid);
  }
  printf("%ld\n", made);
  return 0;
}
