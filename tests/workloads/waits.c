// waits [DIRECTORY]: threads that wait for locks of the kernel, for times that are known. Those that have the locks are
// held up by memory that is not there until userfaultfd gives it. A line for each wait: what it is for, the
// thread, and between how many ns and how many it has waited.
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kPage = 4096, kHoldNs = 50000000 };

static int faults = -1;
static char name[4096];
static int into;  // what is written to

static long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

struct thread {
  pthread_t id;
  void (*work)(char* page);
  char* page;
  volatile int tid;
  long took_ns;
};

static void* run(void* argument) {
  struct thread* const thread = argument;
  thread->tid = (int)syscall(SYS_gettid);
  const long from = now_ns();
  thread->work(thread->page);
  thread->took_ns = now_ns() - from;
  return 0;
}

static void start(struct thread* thread, void (*work)(char* page)) {
  memset(thread, 0, sizeof *thread);
  thread->work = work;
  thread->page = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct uffdio_register range = {{(unsigned long)thread->page, kPage}, UFFDIO_REGISTER_MODE_MISSING, 0};
  if (ioctl(faults, UFFDIO_REGISTER, &range) != 0) fail("UFFDIO_REGISTER");
  if (pthread_create(&thread->id, 0, run, thread) != 0) fail("pthread_create");
}

// Starts one that then has a lock.
static void start_holder(struct thread* thread, void (*work)(char* page)) {
  start(thread, work);
  struct pollfd wanted = {faults, POLLIN, 0};
  struct uffd_msg fault;
  if (poll(&wanted, 1, 20000) != 1 || read(faults, &fault, sizeof fault) != sizeof fault) fail("no fault");
}

// Starts one that then waits for it; gives the time at which it did.
static long start_waiter(struct thread* thread, void (*work)(char* page)) {
  start(thread, work);
  for (int i = 0; i < 20000; ++i) {
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread->tid);
    const int fd = open(path, O_RDONLY);
    if (fd >= 0 && read(fd, text, sizeof text - 1) < 0) text[0] = 0;
    if (fd >= 0) close(fd);
    const char* const end = strrchr(text, ')');
    if (end != 0 && end[2] == 'D') return now_ns();
    usleep(1000);
  }
  fail("no thread waits");
  return 0;
}

static void let_go(struct thread* holder) {
  struct uffdio_zeropage zero = {{(unsigned long)holder->page, kPage}, 0, 0};
  if (ioctl(faults, UFFDIO_ZEROPAGE, &zero) != 0) fail("UFFDIO_ZEROPAGE");
  pthread_join(holder->id, 0);
}

static void hold(void) {
  const struct timespec time = {0, kHoldNs};
  nanosleep(&time, 0);
}

static void say(const char* what, struct thread* waiter, long from, long to) {
  pthread_join(waiter->id, 0);
  printf("wait %s %d %ld %ld\n", what, waiter->tid, to - from, waiter->took_ns);
}

static void write_page(char* page) {
  if (write(into, page, 8) != 8) fail("write");
}
static void write_byte(char* page) {
  (void)page;
  if (write(into, "x", 1) != 1) fail("write");
}
// A file that has a position has a mutex for it.
static void write_page_at(char* page) {
  if (pwrite(into, page, 8, 0) != 8) fail("pwrite");
}
static void write_byte_at(char* page) {
  (void)page;
  if (pwrite(into, "x", 1, 0) != 1) fail("pwrite");
}
static void list(char* page) {
  const int fd = open(name, O_RDONLY | O_DIRECTORY);
  if (fd < 0 || syscall(SYS_getdents64, fd, page, kPage) <= 0) fail("getdents64");
  close(fd);
}
static void make(char* page) {
  (void)page;
  char path[4200];
  snprintf(path, sizeof path, "%s/new", name);
  if (close(open(path, O_CREAT | O_RDWR, 0600)) != 0) fail("open");
  unlink(path);
}
static void look(char* page) {
  (void)page;
  char path[4200];
  struct stat status;
  snprintf(path, sizeof path, "%s/absent", name);
  stat(path, &status);
}

static void one_holder(const char* what, void (*has)(char* page), void (*waits)(char* page)) {
  struct thread holder, waiter;
  start_holder(&holder, has);
  const long from = start_waiter(&waiter, waits);
  hold();
  const long to = now_ns();
  let_go(&holder);
  say(what, &waiter, from, to);
}

static void two_readers(void) {
  struct thread holders[2], writer, reader;
  start_holder(&holders[0], list);
  start_holder(&holders[1], list);
  const long writer_from = start_waiter(&writer, make);
  const long reader_from = start_waiter(&reader, look);
  hold();
  const long to = now_ns();
  let_go(&holders[0]);
  let_go(&holders[1]);
  say("writer-of-two", &writer, writer_from, to);
  say("reader-of-two", &reader, reader_from, to);
}

int main(int count, char** words) {
  faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
  struct uffdio_api api = {UFFD_API, 0, 0};
  if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0) {
    printf("no userfaultfd: %s\n", strerror(errno));
    return 0;
  }
  snprintf(name, sizeof name, "%s/waits.XXXXXX", count > 1 ? words[1] : "/tmp");
  int ends[2];
  if (mkdtemp(name) == 0 || pipe(ends) != 0) fail(name);
  into = ends[1];
  one_holder("mutex", write_page, write_byte);
  close(into);
  char path[4200];
  snprintf(path, sizeof path, "%s/file", name);
  into = open(path, O_CREAT | O_RDWR, 0600);
  one_holder("writer-of-writer", write_page_at, write_byte_at);
  close(into);
  two_readers();
  unlink(path);
  rmdir(name);
  return 0;
}
