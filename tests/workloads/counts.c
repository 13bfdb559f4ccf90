// counts: getppid(), a known number of calls and bytes, the switches that the kernel has counted for
// it as a line of text, getppid(). A child of its own keeps the CPU busy meanwhile.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void* nothing(void* given) { return given; }

static void spin(long ms) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  const long from = t.tv_sec * 1000 + t.tv_nsec / 1000000;
  do {
    for (volatile int i = 0; i < 1000000; i++) {  // without calls, which others may be tracing
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 - from < ms);
}

int main(void) {
  char buffer[100];
  struct iovec two[2] = {{buffer, 10}, {buffer + 10, 20}};
  struct rusage before, after;
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  sched_setaffinity(0, sizeof first, &first);
  const int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_RDWR);
  const int queue = msgget(IPC_PRIVATE, 0600), semaphore = semget(IPC_PRIVATE, 1, 0600);
  const pid_t rival = fork();
  if (rival == 0) {
    alarm(10);
    for (;;) {
    }
  }

  getrusage(RUSAGE_THREAD, &before);
  syscall(SYS_getppid);
  for (int i = 0; i < 5; i++) read(zero, buffer, 7);  // 35 bytes
  read(null, buffer, 7);                              // none
  readv(zero, two, 2);                                // 30
  pread(zero, buffer, 11, 0);                         // 11
  preadv(zero, two, 2, 0);                            // 30
  preadv2(zero, two, 2, 0, 0);                        // 30
  read(-1, buffer, 7);                                // fails
  for (int i = 0; i < 3; i++) write(null, buffer, 9);  // 27 bytes
  writev(null, two, 2);                                // 30
  pwrite(null, buffer, 13, 0);                         // 13
  pwritev(null, two, 2, 0);                            // 30
  pwritev2(null, two, 2, 0, 0);                        // 30
  write(-1, buffer, 9);                                // fails
  struct {
    long type;
    char text[4];
  } message = {1, "abc"};
  for (int i = 0; i < 4; i++) msgsnd(queue, &message, 4, 0);
  for (int i = 0; i < 3; i++) msgrcv(queue, &message, 4, 0, 0);
  struct sembuf up = {0, 1, 0};
  semop(semaphore, &up, 1);
  semtimedop(semaphore, &up, 1, 0);
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  char* no_arguments[] = {0};
  execve("/nonexistent/program", no_arguments, no_arguments);
  for (int i = 0; i < 10; i++) usleep(1000);
  spin(60);
  syscall(SYS_getppid);
  getrusage(RUSAGE_THREAD, &after);

  kill(rival, SIGKILL);
  waitpid(rival, 0, 0);
  msgctl(queue, IPC_RMID, 0);
  semctl(semaphore, 0, IPC_RMID);
  printf("switches %ld involuntary %ld\n",
         after.ru_nvcsw - before.ru_nvcsw + after.ru_nivcsw - before.ru_nivcsw,
         after.ru_nivcsw - before.ru_nivcsw);
  return 0;
}
