// life: processes, threads and signals whose numbers are known; tst.proc.sh has them.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void* nothing(void* argument) { return argument; }
static void ignore(int signal) { (void)signal; }

static void die_of(int signal) {
  if (fork() == 0) {
    raise(signal);
    _exit(99);
  }
  wait(NULL);
}

static void spoil_memory(void) {
  if (fork() == 0) {
    *(volatile int*)64 = 1;
    _exit(99);
  }
  wait(NULL);
}

static void divide_by_zero(void) {
  if (fork() == 0) {
    volatile int zero = 0;
    _exit(7 / zero);
  }
  wait(NULL);
}

static void execute(void) {
  if (fork() == 0) {
    char* const arguments[] = {"one", "two words", NULL};
    char* const environment[] = {NULL};
    // In memory that has been touched, so that a tracer can read it before the kernel has.
    char path[] = "/nonexistent/program";
    execve(path, arguments, environment);
    strcpy(path, "/bin/true");
    execve(path, arguments, environment);
    _exit(99);
  }
  wait(NULL);
}

// The leader is gone while another thread still runs.
static void* last(void* argument) {
  (void)argument;
  usleep(20000);
  _exit(5);
}
static void leave_thread(void) {
  if (fork() == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, last, NULL);
    pthread_exit(NULL);
  }
  wait(NULL);
}

// All threads end of one signal to the process.
static void* wait_for_ever(void* argument) {
  for (;;) pause();
  return argument;
}
static void end_threads(int signal) {
  if (fork() == 0) {
    pthread_t thread;
    for (int i = 0; i < 2; ++i) pthread_create(&thread, NULL, wait_for_ever, NULL);
    kill(getpid(), signal);
    wait_for_ever(NULL);
  }
  wait(NULL);
}

int main(void) {
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_DUMPABLE, 0);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
  }
  for (int i = 0; i < 5; ++i) {
    if (fork() == 0) _exit(i);
    wait(NULL);
  }
  if (vfork() == 0) _exit(7);
  wait(NULL);
  execute();
  die_of(SIGTERM);
  spoil_memory();
  divide_by_zero();
  leave_thread();
  end_threads(SIGTERM);
  end_threads(SIGKILL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  for (int i = 0; i < 4; ++i) {
    kill(getpid(), SIGUSR1);
    if (i == 0) kill(getpid(), SIGUSR1);  // one is pending already
    sigtimedwait(&one, NULL, NULL);
  }
  signal(SIGUSR2, ignore);
  raise(SIGUSR2);
  raise(SIGWINCH);  // nobody handles it
  return 0;
}
