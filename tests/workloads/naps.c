// naps: getppid(), 60 ms of sleep, getppid(), 40 ms of its own CPU time, getppid().
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(void) {
  const struct timespec nap = {0, 60000000};
  syscall(SYS_getppid);
  nanosleep(&nap, 0);
  syscall(SYS_getppid);
  const long from = cpu_ms();
  while (cpu_ms() - from < 40) {
  }
  syscall(SYS_getppid);
  return 0;
}
