// waiters: several threads of one CPU call await() with memory that is not there. When all of them have touched it, another
// calls pass() on that CPU; then the memory comes, in the order of the calls. A tracer that
// reads it waits in their place. `want CALL NAME NUMBER COUNT` for each call.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kPage = 4096, kWaiters = 3, kPasses = 50 };

static char* pages;

static void fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static void stay_on_first_cpu(void) {
  cpu_set_t usable, first;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) fail("sched_getaffinity");
  CPU_ZERO(&first);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &usable)) ++cpu;
  CPU_SET(cpu, &first);
  if (sched_setaffinity(0, sizeof first, &first) != 0) fail("sched_setaffinity");
}

__attribute__((noinline)) void await(const char* name, long a, long b, long c, long d) {
  if (name[0] != 'w') abort();
  __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}
__attribute__((noinline)) void pass(const char* name, long a, long b, long c, long d) {
  if (name[0] != 'p') abort();
  __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}

static void* wait_there(void* argument) {
  const long number = (long)argument;
  await(pages + number * kPage, number, number + 10, number + 20, number + 30);
  return 0;
}

static void* pass_by(void* argument) {
  (void)argument;
  for (long i = 0; i < kPasses; ++i) pass("passes", 100 + i, 200 + i, 300 + i, 400 + i);
  return 0;
}

static void start(pthread_t* thread, void* (*work)(void*), long argument) {
  if (pthread_create(thread, 0, work, (void*)argument) != 0) fail("pthread_create");
}

int main(void) {
  stay_on_first_cpu();
  const int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
  struct uffdio_api api = {.api = UFFD_API};
  if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0) fail("userfaultfd");
  pages = mmap(0, kWaiters * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct uffdio_register range = {{(unsigned long)pages, kWaiters * kPage}, UFFDIO_REGISTER_MODE_MISSING, 0};
  if (ioctl(faults, UFFDIO_REGISTER, &range) != 0) fail("UFFDIO_REGISTER");
  pthread_t waiters[kWaiters], passer;
  for (long i = 0; i < kWaiters; ++i) {
    start(&waiters[i], wait_there, i);
    struct pollfd wanted = {faults, POLLIN, 0};
    struct uffd_msg fault;
    if (poll(&wanted, 1, 20000) != 1 || read(faults, &fault, sizeof fault) != sizeof fault) fail("no fault");
  }
  start(&passer, pass_by, 0);
  pthread_join(passer, 0);
  for (long i = 0; i < kWaiters; ++i) {
    char text[kPage] = "waits ";
    text[5] = (char)('0' + i);
    struct uffdio_copy copy = {(unsigned long)pages + i * kPage, (unsigned long)text, kPage, 0, 0};
    if (ioctl(faults, UFFDIO_COPY, &copy) != 0) fail("UFFDIO_COPY");
    pthread_join(waiters[i], 0);
    printf("want await waits%ld %ld %ld %ld %ld 1\n", i, i, i + 10, i + 20, i + 30);
  }
  for (long i = 0; i < kPasses; ++i) {
    printf("want pass passes %ld %ld %ld %ld 1\n", 100 + i, 200 + i, 300 + i, 400 + i);
  }
  return 0;
}
