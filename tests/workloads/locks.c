// locks: takes, contends and misuses locks of pthreads in a known order, alone in what it does with them. What a tracer must
// have seen, it prints from what it has done and been told itself:
//
//   want PROBE LOCK ARG1 ARG2 COUNT        LOCK is an address
//
// `locks wait` first waits for a line on its standard input.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kRounds = 3, kMost = 256 };

static struct {
  const char* probe;
  const void* lock;
  int first, second;
  long count;
} told[kMost];
static int tells;
static pthread_spinlock_t telling;

static void tell(const char* probe, const void* lock, int first, int second) {
  pthread_spin_lock(&telling);
  int i = 0;
  while (i < tells && (strcmp(told[i].probe, probe) != 0 || told[i].lock != lock || told[i].first != first ||
                       told[i].second != second)) {
    ++i;
  }
  if (i == kMost) exit(3);
  if (i == tells) {
    ++tells;
    told[i].probe = probe;
    told[i].lock = lock;
    told[i].first = first;
    told[i].second = second;
  }
  ++told[i].count;
  pthread_spin_unlock(&telling);
}

static void must(int is_true, int line) {
  if (is_true) return;
  fprintf(stderr, "locks.c:%d: not as it must be\n", line);
  exit(1);
}
#define MUST(what) must(what, __LINE__)

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, checking, adaptive, inheriting, robust, contended,
                       awaited = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void make(pthread_mutex_t* mutex, int type, int protocol, int robustness) {
  pthread_mutexattr_t how;
  MUST(pthread_mutexattr_init(&how) == 0 && pthread_mutexattr_settype(&how, type) == 0 &&
       pthread_mutexattr_setprotocol(&how, protocol) == 0 && pthread_mutexattr_setrobust(&how, robustness) == 0);
  MUST(pthread_mutex_init(mutex, &how) == 0);
}

static struct timespec soon(void) {
  struct timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_nsec += 50000000;
  when.tv_sec += when.tv_nsec / 1000000000;
  when.tv_nsec %= 1000000000;
  return when;
}

// Waits until the thread sleeps in the kernel, in futex().
static void until_sleeping(volatile pid_t* thread) {
  char path[64], text[64];
  while (*thread == 0) usleep(1000);
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", *thread);
  for (int i = 0; i < 20000; ++i) {
    const int file = open(path, O_RDONLY);
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = 0;
    if (atoi(text) == SYS_futex && strncmp(text, "running", 7) != 0) return;
    usleep(1000);
  }
  MUST(0);
}

static volatile pid_t sleeper;

static void* contender(void* mutex) {
  MUST(pthread_mutex_trylock(mutex) == EBUSY);
  tell("mutex-error", mutex, EBUSY, 0);
  sleeper = gettid();
  MUST(pthread_mutex_lock(mutex) == 0);
  tell("mutex-block", mutex, 0, 0);
  tell("mutex-blocked", mutex, 1, 0);
  tell("mutex-acquire", mutex, 0, mutex == &adaptive ? -1 : 0);
  MUST(pthread_mutex_unlock(mutex) == 0);
  tell("mutex-release", mutex, 0, 0);
  return 0;
}

static void contend(pthread_mutex_t* mutex) {
  pthread_t thread;
  for (int i = 0; i < kRounds; ++i) {
    sleeper = 0;
    MUST(pthread_mutex_lock(mutex) == 0);
    tell("mutex-acquire", mutex, 0, mutex == &adaptive ? -1 : 0);
    MUST(pthread_create(&thread, 0, contender, mutex) == 0);
    until_sleeping(&sleeper);
    MUST(pthread_mutex_unlock(mutex) == 0);
    tell("mutex-release", mutex, 0, 0);
    pthread_join(thread, 0);
  }
}

static void* impatient(void* mutex) {
  const struct timespec when = soon();
  MUST(pthread_mutex_timedlock(mutex, &when) == ETIMEDOUT);
  tell("mutex-block", mutex, 0, 0);
  tell("mutex-blocked", mutex, 0, 0);
  tell("mutex-error", mutex, ETIMEDOUT, 0);
  return 0;
}

static void* dying(void* mutex) {
  MUST(pthread_mutex_lock(mutex) == 0);
  tell("mutex-acquire", mutex, 0, 0);
  return 0;
}

static void take_mutexes(void) {
  for (int i = 0; i < 5; ++i) {
    MUST(pthread_mutex_lock(&plain) == 0);
    tell("mutex-acquire", &plain, 0, 0);
    MUST(pthread_mutex_trylock(&plain) == EBUSY);
    tell("mutex-error", &plain, EBUSY, 0);
    MUST(pthread_mutex_unlock(&plain) == 0);
    tell("mutex-release", &plain, 0, 0);
  }
  for (int i = 0; i < 3; ++i) {
    MUST((i == 1 ? pthread_mutex_trylock(&recursive) : pthread_mutex_lock(&recursive)) == 0);
    tell("mutex-acquire", &recursive, i > 0, 0);
  }
  for (int i = 0; i < 3; ++i) {
    MUST(pthread_mutex_unlock(&recursive) == 0);
    tell("mutex-release", &recursive, i < 2, 0);
  }
  const struct timespec when = soon();
  MUST(pthread_mutex_unlock(&checking) == EPERM && pthread_mutex_clocklock(&checking, CLOCK_REALTIME, &when) == 0 &&
       pthread_mutex_lock(&checking) == EDEADLK && pthread_mutex_unlock(&checking) == 0);
  tell("mutex-error", &checking, EPERM, 0);
  tell("mutex-acquire", &checking, 0, 0);
  tell("mutex-error", &checking, EDEADLK, 0);
  tell("mutex-release", &checking, 0, 0);
}

static void contend_mutexes(void) {
  pthread_t thread;
  contend(&contended);
  contend(&adaptive);
  contend(&inheriting);
  contend(&robust);
  MUST(pthread_mutex_lock(&contended) == 0);
  tell("mutex-acquire", &contended, 0, 0);
  MUST(pthread_create(&thread, 0, impatient, &contended) == 0);
  pthread_join(thread, 0);
  MUST(pthread_mutex_unlock(&contended) == 0);
  tell("mutex-release", &contended, 0, 0);
  MUST(pthread_create(&thread, 0, dying, &robust) == 0);
  pthread_join(thread, 0);
  MUST(pthread_mutex_lock(&robust) == EOWNERDEAD);
  tell("mutex-acquire", &robust, 0, 0);
  MUST(pthread_mutex_consistent(&robust) == 0 && pthread_mutex_unlock(&robust) == 0);
  tell("mutex-release", &robust, 0, 0);
}

static int has_come;

static void* waiter(void* unused) {
  MUST(pthread_mutex_lock(&awaited) == 0);
  tell("mutex-acquire", &awaited, 0, 0);
  sleeper = gettid();
  while (!has_come) {
    MUST(pthread_cond_wait(&condition, &awaited) == 0);
    tell("mutex-release", &awaited, 0, 0);
    tell("mutex-acquire", &awaited, 0, 0);
  }
  MUST(pthread_mutex_unlock(&awaited) == 0);
  tell("mutex-release", &awaited, 0, 0);
  return unused;
}

static void wait_for_condition(void) {
  pthread_t thread;
  sleeper = 0;
  MUST(pthread_create(&thread, 0, waiter, 0) == 0);
  until_sleeping(&sleeper);
  MUST(pthread_mutex_lock(&awaited) == 0);
  tell("mutex-acquire", &awaited, 0, 0);
  has_come = 1;
  MUST(pthread_mutex_unlock(&awaited) == 0);
  tell("mutex-release", &awaited, 0, 0);
  pthread_cond_signal(&condition);
  pthread_join(thread, 0);
  MUST(pthread_mutex_lock(&awaited) == 0);
  const struct timespec when = soon();
  MUST(pthread_cond_timedwait(&condition, &awaited, &when) == ETIMEDOUT);
  const struct timespec never = {0, -1};
  MUST(pthread_cond_timedwait(&condition, &awaited, &never) == EINVAL);
  MUST(pthread_mutex_unlock(&awaited) == 0);
  for (int i = 0; i < 2; ++i) {
    tell("mutex-acquire", &awaited, 0, 0);
    tell("mutex-release", &awaited, 0, 0);
  }
}

static void* rw_contender(void* writes) {
  const int is_writer = writes != 0;
  MUST((is_writer ? pthread_rwlock_trywrlock(&shared) : pthread_rwlock_tryrdlock(&shared)) == EBUSY);
  tell("rw-error", &shared, is_writer, EBUSY);
  sleeper = gettid();
  MUST((is_writer ? pthread_rwlock_wrlock(&shared) : pthread_rwlock_rdlock(&shared)) == 0);
  tell("rw-block", &shared, is_writer, 0);
  tell("rw-blocked", &shared, is_writer, 1);
  tell("rw-acquire", &shared, is_writer, 0);
  MUST(pthread_rwlock_unlock(&shared) == 0);
  tell("rw-release", &shared, is_writer, 0);
  return 0;
}

static void share(void) {
  for (int i = 0; i < 4; ++i) {
    MUST(pthread_rwlock_rdlock(&shared) == 0 && pthread_rwlock_tryrdlock(&shared) == 0);
    for (int k = 0; k < 2; ++k) {
      tell("rw-acquire", &shared, 0, 0);
      MUST(pthread_rwlock_unlock(&shared) == 0);
      tell("rw-release", &shared, 0, 0);
    }
  }
  // Both ways: a reader waits for a writer, and a writer for a reader.
  for (int i = 0; i < 2 * kRounds; ++i) {
    pthread_t thread;
    const int is_writer = i % 2;
    sleeper = 0;
    MUST((is_writer ? pthread_rwlock_wrlock(&shared) : pthread_rwlock_rdlock(&shared)) == 0);
    tell("rw-acquire", &shared, is_writer, 0);
    MUST(pthread_create(&thread, 0, rw_contender, is_writer ? 0 : &shared) == 0);
    until_sleeping(&sleeper);
    MUST(pthread_rwlock_unlock(&shared) == 0);
    tell("rw-release", &shared, is_writer, 0);
    pthread_join(thread, 0);
  }
  const struct timespec when = soon();
  MUST(pthread_rwlock_rdlock(&shared) == 0 && pthread_rwlock_timedwrlock(&shared, &when) == ETIMEDOUT &&
       pthread_rwlock_unlock(&shared) == 0);
  tell("rw-acquire", &shared, 0, 0);
  tell("rw-block", &shared, 1, 0);
  tell("rw-blocked", &shared, 1, 0);
  tell("rw-error", &shared, 1, ETIMEDOUT);
  tell("rw-release", &shared, 0, 0);
}

int main(int count, char** words) {
  (void)words;
  pthread_spin_init(&telling, 0);
  if (count > 1 && getchar() == EOF) return 2;
  make(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  make(&checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  make(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  make(&contended, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  make(&inheriting, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
  make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
  take_mutexes();
  contend_mutexes();
  wait_for_condition();
  share();
  for (int i = 0; i < tells; ++i) {
    printf("want %s %lx %d %d %ld\n", told[i].probe, (unsigned long)told[i].lock, told[i].first, told[i].second, told[i].count);
  }
  return 0;
}
