// pthreads: makes threads, waits for them, for conditions, barriers and semaphores, cancels and misuses them. What a tracer
// must have seen, it prints from what it has done and been told itself:
//
//   want PROBE FUNCTION ARG0 ARG1 ARG2 ARG3 COUNT        arguments in hexadecimal
//
// `pthreads wait` first waits for a line on its standard input. Its first thread ends by pthread_exit().
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { kMakers = 4, kMade = 150, kTurns = 1500, kHurried = 1200, kMeetings = 300, kCancelled = 60, kMost = 1 << 14 };

static struct {
  const char *probe, *function;
  uintptr_t arguments[4];
  long count;
} told[kMost];
static pthread_spinlock_t telling;

static void tell(const char* probe, const char* function, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d) {
  const uintptr_t arguments[4] = {a, b, c, d};
  unsigned at = 5381;
  for (const char* p = probe; *p != 0; ++p) at = at * 33 + (unsigned char)*p;
  for (int i = 0; i < 4; ++i) at = at * 33 + (unsigned)(arguments[i] ^ arguments[i] >> 12);
  pthread_spin_lock(&telling);
  for (int tries = 0;; ++tries) {
    if (tries == kMost) exit(3);
    at = (at + 1) % kMost;
    if (told[at].count == 0) {
      told[at].probe = probe;
      told[at].function = function;
      memcpy(told[at].arguments, arguments, sizeof arguments);
    }
    if (strcmp(told[at].probe, probe) == 0 && strcmp(told[at].function, function) == 0 &&
        memcmp(told[at].arguments, arguments, sizeof arguments) == 0) {
      break;
    }
  }
  ++told[at].count;
  pthread_spin_unlock(&telling);
}
#define TELL(probe, function, ...) TELL_ALL(probe, function, __VA_ARGS__, 0, 0, 0, 0)
#define TELL_ALL(probe, function, a, b, c, d, ...) \
  tell(probe, function, (uintptr_t)(a), (uintptr_t)(b), (uintptr_t)(c), (uintptr_t)(d))

static void must(int is_true, int line) {
  if (is_true) return;
  fprintf(stderr, "pthreads.c:%d: not as it must be\n", line);
  _exit(1);
}
#define MUST(what) must(what, __LINE__)

// What functions do, told with what they gave.
static pthread_t make(const pthread_attr_t* how, void* (*routine)(void*), void* argument) {
  pthread_t thread = 0;
  const int result = pthread_create(&thread, how, routine, argument);
  TELL("create", "pthread_create", result == 0 ? thread : 0, routine, argument, result);
  return result == 0 ? thread : 0;
}

static void* begun(void* (*routine)(void*), void* argument) {
  TELL("start", "start_thread", pthread_self(), routine, argument);
  return argument;
}

static void* ends(void* value) {
  TELL("exit", "start_thread", pthread_self(), value);
  return value;
}

static int joined(const char* function, pthread_t thread, int result, void* value) {
  TELL("join-start", function, thread);
  TELL("join-done", function, thread, result, result == 0 ? value : 0);
  return result;
}

static int join(pthread_t thread) {
  void* value = 0;
  const int result = pthread_join(thread, &value);
  return joined("pthread_join", thread, result, value);
}

static int detach(pthread_t thread) {
  const int result = pthread_detach(thread);
  TELL("detach", "pthread_detach", thread, result);
  return result;
}

static int waited(const char* function, const void* condition, const void* mutex, int result) {
  TELL("cond-wait", function, condition, mutex);
  TELL("cond-woken", function, condition, mutex, result);
  return result;
}

static void signals(pthread_cond_t* condition) {
  TELL("cond-signal", "pthread_cond_signal", condition);
  pthread_cond_signal(condition);
}

static void broadcasts(pthread_cond_t* condition) {
  TELL("cond-broadcast", "pthread_cond_broadcast", condition);
  pthread_cond_broadcast(condition);
}

static void post(sem_t* semaphore) {
  TELL("sem-post", "sem_post", semaphore);
  sem_post(semaphore);
}

static int had(const char* function, sem_t* semaphore, int result) {
  const int error = errno;
  TELL("sem-wait", function, semaphore);
  if (result == 0)
    TELL("sem-acquired", function, semaphore);
  else
    TELL("sem-error", function, semaphore, error);
  return result == 0 ? 0 : error;
}

static struct timespec after(clockid_t clock, long ns) {
  struct timespec when;
  clock_gettime(clock, &when);
  when.tv_nsec += ns;
  when.tv_sec += when.tv_nsec / 1000000000;
  when.tv_nsec %= 1000000000;
  return when;
}
enum { kSoon = 2000000 };

// Waits until the thread sleeps in the kernel, in futex().
static void until_sleeping(volatile pid_t* thread) {
  char path[64], text[64];
  while (*thread == 0) usleep(100);
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", *thread);
  for (int i = 0; i < 200000; ++i) {
    const int file = open(path, O_RDONLY);
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = 0;
    if (atoi(text) == SYS_futex && strncmp(text, "running", 7) != 0) return;
    usleep(100);
  }
  MUST(0);
}

// Threads that are made and joined by several others at once; half of them return, half exit.
static void* returns(void* argument) {
  begun(returns, argument);
  return ends(argument);
}

static void deeper(void* value) { pthread_exit(ends(value)); }

static void* leaves(void* argument) {
  begun(leaves, argument);
  deeper((char*)argument + 1);
  return 0;
}

static void* maker(void* argument) {
  begun(maker, argument);
  for (uintptr_t i = 0; i < kMade; ++i) {
    const pthread_t thread = make(0, i % 2 ? returns : leaves, (void*)(0x1000 * (i % 4)));
    MUST(join(thread) == 0);
  }
  return ends(0);
}

static void make_many(void) {
  pthread_t makers[kMakers];
  for (int i = 0; i < kMakers; ++i) makers[i] = make(0, maker, 0);
  for (int i = 0; i < kMakers; ++i) MUST(join(makers[i]) == 0);
}

static sem_t held;
static volatile pid_t sleeper;

static void* holds(void* argument) {
  begun(holds, argument);
  sleeper = gettid();
  while (had("sem_wait", &held, sem_wait(&held)) == EINTR) {
  }
  return ends(argument);
}

static void* asks_itself(void* argument) {
  begun(asks_itself, argument);
  MUST(join(pthread_self()) == EDEADLK);
  return ends(argument);
}

static int threads_there(void) {
  int count = 0;
  DIR* const tasks = opendir("/proc/self/task");
  for (const struct dirent* task; (task = readdir(tasks)) != 0;) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static void misuse_threads(void) {
  // No room for a stack; no such CPU, which is found out when the thread is there.
  pthread_attr_t how;
  pthread_attr_init(&how);
  MUST(pthread_attr_setstacksize(&how, (size_t)1 << 47) == 0);
  MUST(make(&how, returns, 0) == 0);
  cpu_set_t nowhere;
  CPU_ZERO(&nowhere);
  CPU_SET(CPU_SETSIZE - 1, &nowhere);
  pthread_attr_init(&how);
  MUST(pthread_attr_setaffinity_np(&how, sizeof nowhere, &nowhere) == 0);
  MUST(make(&how, returns, 0) == 0);

  MUST(join(make(0, asks_itself, 0)) == 0);
  const pthread_t thread = make(0, holds, 0);
  void* value = 0;
  struct timespec when = after(CLOCK_REALTIME, kSoon);
  MUST(joined("pthread_tryjoin_np", thread, pthread_tryjoin_np(thread, &value), value) == EBUSY);
  MUST(joined("pthread_timedjoin_np", thread, pthread_timedjoin_np(thread, &value, &when), value) == ETIMEDOUT);
  when = after(CLOCK_MONOTONIC, kSoon);
  MUST(joined("pthread_clockjoin_np", thread, pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &when), value) ==
       ETIMEDOUT);
  MUST(joined("pthread_clockjoin_np", thread, pthread_clockjoin_np(thread, 0, 77, &when), 0) == EINVAL);
  post(&held);
  MUST(join(thread) == 0);
  // Its memory is kept for the next one, and glibc up to 2.41 sees that it is gone.
  if (strverscmp(gnu_get_libc_version(), "2.42") < 0) {
    MUST(join(thread) == ESRCH);
    MUST(detach(thread) == ESRCH);
  }

  const pthread_t detached = make(0, holds, (void*)7);
  MUST(detach(detached) == 0);
  MUST(detach(detached) == EINVAL);
  MUST(join(detached) == EINVAL);
  post(&held);
  while (threads_there() > 1) usleep(100);

  int result = pthread_setname_np(pthread_self(), "known");
  TELL("setname", "pthread_setname_np", pthread_self(), "known", result);
  static const char too_long[] = "a name of more than 15";
  result = pthread_setname_np(pthread_self(), too_long);
  TELL("setname", "pthread_setname_np", pthread_self(), too_long, result);
  MUST(result == ERANGE);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, other = PTHREAD_COND_INITIALIZER,
                      never = PTHREAD_COND_INITIALIZER, hurried = PTHREAD_COND_INITIALIZER;

// Two threads by turns.
static int turn;

static void* takes_turns(void* argument) {
  begun(takes_turns, argument);
  const int mine = argument != 0;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < kTurns; ++i) {
    while (turn != mine) {
      MUST(waited("pthread_cond_wait", mine ? &condition : &other, &mutex,
                  pthread_cond_wait(mine ? &condition : &other, &mutex)) == 0);
    }
    turn = !mine;
    if (i % 8 == 0)
      broadcasts(mine ? &other : &condition);
    else
      signals(mine ? &other : &condition);
  }
  pthread_mutex_unlock(&mutex);
  return ends(argument);
}

// Signals race with the ends of waits, which makes glibc signal, too.
static void* hurries(void* argument) {
  begun(hurries, argument);
  for (int i = 0; i < kHurried; ++i) {
    const clockid_t clock = i % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    const struct timespec when = after(clock, 1000 * (i % 150));
    pthread_mutex_lock(&mutex);
    if (i % 2)
      waited("pthread_cond_clockwait", &hurried, &mutex, pthread_cond_clockwait(&hurried, &mutex, clock, &when));
    else
      waited("pthread_cond_timedwait", &hurried, &mutex, pthread_cond_timedwait(&hurried, &mutex, &when));
    pthread_mutex_unlock(&mutex);
  }
  return ends(argument);
}

static void wait_for_conditions(void) {
  const pthread_t a = make(0, takes_turns, 0), b = make(0, takes_turns, &turn);
  MUST(join(a) == 0);
  MUST(join(b) == 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) threads[i] = make(0, hurries, 0);
  for (int i = 0; i < kHurried; ++i) {
    signals(&hurried);
    if (i % 16 == 0) broadcasts(&hurried);
    usleep(20);
  }
  for (int i = 0; i < 3; ++i) MUST(join(threads[i]) == 0);
  struct timespec when = after(CLOCK_REALTIME, kSoon);
  pthread_mutex_lock(&mutex);
  MUST(waited("pthread_cond_timedwait", &never, &mutex, pthread_cond_timedwait(&never, &mutex, &when)) == ETIMEDOUT);
  when.tv_nsec = -1;
  MUST(waited("pthread_cond_timedwait", &never, &mutex, pthread_cond_timedwait(&never, &mutex, &when)) == EINVAL);
  pthread_mutex_unlock(&mutex);
}

static pthread_barrier_t barrier;

static void* meets(void* argument) {
  begun(meets, argument);
  for (int i = 0; i < kMeetings; ++i) {
    const int result = pthread_barrier_wait(&barrier);
    TELL("barrier-wait", "pthread_barrier_wait", &barrier);
    TELL("barrier-done", "pthread_barrier_wait", &barrier, result == PTHREAD_BARRIER_SERIAL_THREAD);
  }
  return ends(argument);
}

static void meet(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 3);
  for (int i = 0; i < 3; ++i) threads[i] = make(0, meets, 0);
  for (int i = 0; i < 3; ++i) MUST(join(threads[i]) == 0);
}

static sem_t empty, cleaned;

// What a thread does that is cancelled in a wait: it goes on to use all of that.
static void cleans(void* argument) {
  pthread_mutex_t* const taken = argument;
  if (taken != 0) pthread_mutex_unlock(taken);
  signals(&never);
  post(&cleaned);
  MUST(had("sem_wait", &cleaned, sem_wait(&cleaned)) == 0);
  ends(PTHREAD_CANCELED);
}

static void* waits_in_vain(void* argument) {
  begun(waits_in_vain, argument);
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t* const taken = argument == 0 ? &own : 0;
  struct timespec when = after(CLOCK_REALTIME, 0);
  when.tv_sec += 600;
  pthread_cleanup_push(cleans, taken);
  if (argument == 0) {
    pthread_mutex_lock(&own);
    TELL("cond-wait", "pthread_cond_timedwait", &never, &own);
    sleeper = gettid();
    for (;;) pthread_cond_timedwait(&never, &own, &when);
  } else if (argument == &empty) {
    TELL("sem-wait", "sem_wait", &empty);
    sleeper = gettid();
    sem_wait(&empty);
  } else {
    TELL("join-start", "pthread_join", *(pthread_t*)argument);
    sleeper = gettid();
    pthread_join(*(pthread_t*)argument, 0);
  }
  pthread_cleanup_pop(0);
  return 0;
}

static void cancel(void) {
  sleeper = 0;
  pthread_t lasting = make(0, holds, (void*)9);
  until_sleeping(&sleeper);
  void* const waits_for[] = {0, &empty, &lasting};
  for (int i = 0; i < kCancelled; ++i) {
    sleeper = 0;
    const pthread_t thread = make(0, waits_in_vain, waits_for[i % 3]);
    until_sleeping(&sleeper);
    TELL("cancel", "pthread_cancel", thread);
    MUST(pthread_cancel(thread) == 0);
    MUST(join(thread) == 0);
  }
  post(&held);
  MUST(join(lasting) == 0);
}

static sigjmp_buf out;
static volatile sig_atomic_t jumps;

static void handles(int signal) {
  (void)signal;
  TELL("sem-post", "sem_post", &held);
  sem_post(&held);
  if (jumps) siglongjmp(out, 1);
}

static void* is_interrupted(void* argument) {
  begun(is_interrupted, argument);
  MUST(had("sem_wait", &empty, sem_wait(&empty)) == EINTR);
  if (sigsetjmp(out, 1) == 0) {
    jumps = 1;
    TELL("sem-wait", "sem_wait", &empty);
    for (;;) sem_wait(&empty);
  }
  MUST(had("sem_wait", &held, sem_wait(&held)) == 0);
  return ends(argument);
}

static void send(pthread_t thread, int signal) {
  TELL("kill", "pthread_kill", thread, signal);
  MUST(pthread_kill(thread, signal) == 0);
}

static void use_semaphores(void) {
  struct timespec when = after(CLOCK_REALTIME, kSoon);
  MUST(had("sem_trywait", &empty, sem_trywait(&empty)) == EAGAIN);
  MUST(had("sem_timedwait", &empty, sem_timedwait(&empty, &when)) == ETIMEDOUT);
  when = after(CLOCK_MONOTONIC, kSoon);
  MUST(had("sem_clockwait", &empty, sem_clockwait(&empty, CLOCK_MONOTONIC, &when)) == ETIMEDOUT);
  MUST(had("sem_clockwait", &empty, sem_clockwait(&empty, 77, &when)) == EINVAL);
  for (int i = 0; i < 4; ++i) {
    post(&empty);
    MUST((i == 0   ? had("sem_wait", &empty, sem_wait(&empty))
          : i == 1 ? had("sem_trywait", &empty, sem_trywait(&empty))
          : i == 2 ? had("sem_timedwait", &empty, sem_timedwait(&empty, &when))
                   : had("sem_clockwait", &empty, sem_clockwait(&empty, CLOCK_MONOTONIC, &when))) == 0);
  }

  struct sigaction how = {.sa_handler = handles};
  sigaction(SIGUSR1, &how, 0);
  const pthread_t thread = make(0, is_interrupted, 0);
  sem_t* const posted = &held;
  for (int i = 0; i < 2; ++i) {
    // It has been interrupted as often as its handler has posted.
    int value = 0;
    const pid_t first = gettid();
    for (int tries = 0; value < i && tries < 100000; ++tries) {
      sem_getvalue(posted, &value);
      usleep(100);
    }
    DIR* const tasks = opendir("/proc/self/task");
    for (const struct dirent* task; (task = readdir(tasks)) != 0;) {
      if (atoi(task->d_name) > 0 && atoi(task->d_name) != first) sleeper = atoi(task->d_name);
    }
    closedir(tasks);
    while (i == 1 && !jumps) usleep(100);
    until_sleeping(&sleeper);
    send(thread, SIGUSR1);
  }
  MUST(join(thread) == 0);
  MUST(had("sem_wait", &held, sem_wait(&held)) == 0);
  signal(SIGUSR2, SIG_IGN);
  send(pthread_self(), SIGUSR2);
  TELL("kill", "pthread_kill", pthread_self(), SIGUSR2);
  raise(SIGUSR2);
  TELL("kill", "pthread_kill", pthread_self(), 32);
  MUST(pthread_kill(pthread_self(), 32) == EINVAL);
  TELL("kill", "pthread_sigqueue", pthread_self(), SIGUSR2);
  MUST(pthread_sigqueue(pthread_self(), SIGUSR2, (union sigval){.sival_int = 1}) == 0);
}

// C11's threads are pthreads.
static cnd_t standard;
static mtx_t standard_mutex;

static int is_standard(void* argument) {
  TELL("start", "start_thread", pthread_self(), is_standard, argument);
  const struct timespec when = {0};
  mtx_lock(&standard_mutex);
  MUST(cnd_timedwait(&standard, &standard_mutex, &when) == thrd_timedout);
  waited("pthread_cond_timedwait", &standard, &standard_mutex, ETIMEDOUT);
  mtx_unlock(&standard_mutex);
  TELL("cond-signal", "pthread_cond_signal", &standard);
  cnd_signal(&standard);
  TELL("cond-broadcast", "pthread_cond_broadcast", &standard);
  cnd_broadcast(&standard);
  ends((void*)-5);
  if (argument != 0) thrd_exit(-5);
  return -5;
}

static void use_standard(void) {
  cnd_init(&standard);
  mtx_init(&standard_mutex, mtx_plain);
  for (uintptr_t i = 0; i < 4; ++i) {
    thrd_t thread;
    int value = 0;
    MUST(thrd_create(&thread, is_standard, (void*)(i % 2)) == thrd_success);
    TELL("create", "pthread_create", thread, is_standard, i % 2, 0);
    MUST(thrd_join(thread, &value) == thrd_success && value == -5);
    joined("pthread_join", thread, 0, (void*)-5);
  }
}

#ifndef STATIC
// What programs call that were linked long ago: such a condition is a pointer to one.
int old_timedwait(void** condition, pthread_mutex_t* mutex, const struct timespec* when);
int old_signal(void** condition);
int old_kill(pthread_t thread, int signal);
__asm__(".symver old_timedwait,pthread_cond_timedwait@GLIBC_2.2.5");
__asm__(".symver old_signal,pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver old_kill,pthread_kill@GLIBC_2.2.5");

static void use_old(void) {
  void* old = 0;
  const struct timespec when = {0};
  pthread_mutex_lock(&mutex);
  MUST(old_timedwait(&old, &mutex, &when) == ETIMEDOUT);
  waited("pthread_cond_timedwait", old, &mutex, ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  old_signal(&old);
  TELL("cond-signal", "pthread_cond_signal", old);
  TELL("kill", "pthread_kill", pthread_self(), SIGUSR2);
  MUST(old_kill(pthread_self(), SIGUSR2) == 0);
}
#endif

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "wait") == 0) getchar();
  pthread_spin_init(&telling, 0);
  sem_init(&held, 0, 0);
  sem_init(&empty, 0, 0);
  sem_init(&cleaned, 0, 0);
  make_many();
  misuse_threads();
  wait_for_conditions();
  meet();
  cancel();
  use_semaphores();
  use_standard();
#ifndef STATIC
  use_old();
#endif
  TELL("exit", "__libc_start_call_main", pthread_self(), 0x99);
  for (int i = 0; i < kMost; ++i) {
    const uintptr_t* const a = told[i].arguments;
    if (told[i].count != 0) {
      printf("want %s %s %lx %lx %lx %lx %ld\n", told[i].probe, told[i].function, a[0], a[1], a[2], a[3], told[i].count);
    }
  }
  fflush(stdout);
  pthread_exit((void*)0x99);
}
