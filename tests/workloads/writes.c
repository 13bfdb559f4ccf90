// writes N: a child that writes 1, 2, ... N bytes to a pipe, reads each back,
// and then writes N times to a descriptor that is open for reading only, each of
// which fails with EBADF. With a second argument, one more thread does the same.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int n;

static void *work(void *unused) {
  static char bytes[65536];
  int ends[2];
  (void)unused;
  if (pipe(ends) != 0) exit(2);
  for (int i = 1; i <= n; i++) {
    if (write(ends[1], bytes, (size_t)i) != i || read(ends[0], bytes, (size_t)i) != i) exit(2);
  }
  for (int i = 0; i < n; i++) {
    if (write(ends[0], bytes, 7) != -1 || errno != EBADF) exit(2);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t other;
  n = argc > 1 ? atoi(argv[1]) : 100;
  if (argc > 2 && pthread_create(&other, NULL, work, NULL) != 0) return 2;
  work(NULL);
  if (argc > 2) pthread_join(other, NULL);
  return 0;
}
