// stopped: while the first thread is busy, another calls getppid() and then at once writes
// "on" to standard output.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int is_done;

static void* work(void* argument) {
  syscall(SYS_getppid);
  if (write(STDOUT_FILENO, "on\n", 3) != 3) _exit(1);
  is_done = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) != 0) return 1;
  while (!is_done) continue;
  return pthread_join(thread, NULL);
}
