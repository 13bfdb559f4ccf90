// made: probes that are made at run time (dtrace/probes.h), fired with known values. Words:
//   private   in memory, not in a file
//   values    each size of argument, ten times; 600 probes of which each fires with its number
//   wait      the same again and again, until it is told to end
//   leave     fires until SIGUSR1 comes, then frees and ends
//   threads   four threads fire a thousand times each
//   fork      a child fires five times, and its parent seven times
//   rounds    twenty times: made, fired by two threads until somebody looks, freed while they fire
// Says "up N" when N of ten firings had somebody who looked.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dtrace/probes.h"

enum { kMany = 600, kFirings = 10, kThreads = 4, kOfThread = 1000, kRounds = 20 };

static unsigned flags;
static dtrace_provider* made;
static const dtrace_site *every, *seven, *ten, *none, *number, *many[kMany];

static void must(int error, const char* what) {
  if (error == 0) return;
  fprintf(stderr, "%s: %s\n", what, strerror(error));
  exit(1);
}

static void add(const char* name, const char* function, const char* types,
                const dtrace_site** site) {
  must(dtrace_provider_probe(made, name, function, types, site), name);
}

static void make(void) {
  must(dtrace_provider_create("madeby_c", flags, &made), "create");
  add("every-size", "main", "int, unsigned char, short, uint16_t, const char *, size_t", &every);
  add("seven", NULL, "int, int, int, int, int, int, int", &seven);
  add("ten__of__them", "Some.method<int>()",
      "long,long,long,long,long,long,char *,short,signed char,uint64_t", &ten);
  add("none", "", "void", &none);
  add("number", "firing", "int", &number);
  must(dtrace_provider_load(made), "load");
}

static void make_many(void) {
  for (int i = 0; i < kMany; i++) {
    char name[32];
    snprintf(name, sizeof name, "many_%d", i);
    add(name, "many", "int", &many[i]);
  }
  must(dtrace_provider_load(made), "load");
}

static void values(int says) {
  int up = 0;
  for (int i = 0; i < kFirings; i++) {
    up += dtrace_site_enabled(every);
    DTRACE_SITE_FIRE(every, -i, 0x1ffu, -32768, 0x18001, (uintptr_t) "a string", 4000000000u + i);
    DTRACE_SITE_FIRE(seven, 1, 2, 3, 4, 5, 6, -7);
    DTRACE_SITE_FIRE(ten, 1, 2, 3, 4, 5, 6, (uintptr_t) "seventh", -8, 0xf7u, 1ull << 63);
    must(dtrace_site_fire(none, 0, NULL), "none");
  }
  for (int i = 0; i < kMany; i++) DTRACE_SITE_FIRE(many[i], i);
  if (says) printf("up %d\n", up);
}

static void* thread(void* unused) {
  for (int i = 0; i < kOfThread; i++) DTRACE_SITE_FIRE(number, 1);
  return unused;
}

static volatile int is_over, seen;

static void* fire_until_over(void* unused) {
  while (!is_over) {
    const uint64_t one = 1;
    if (dtrace_site_enabled(number) && dtrace_site_fire(number, 1, &one) == 0) seen++;
  }
  return unused;
}

static void run_threads(int count, void* (*what)(void*), void (*meanwhile)(void)) {
  pthread_t all[kThreads];
  for (int i = 0; i < count; i++) must(pthread_create(&all[i], NULL, what, NULL), "thread");
  if (meanwhile != NULL) meanwhile();
  for (int i = 0; i < count; i++) pthread_join(all[i], NULL);
}

static void free_while_fired(void) {
  for (int i = 0; i < 10000 && seen < 10; i++) usleep(1000);
  must(dtrace_provider_free(made), "free");
  is_over = 1;
}

static void fork_and_fire(void) {
  const pid_t child = fork();
  for (int i = 0; i < (child == 0 ? 5 : 7); i++) DTRACE_SITE_FIRE(number, i);
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
}

static void end(int number) {
  (void)number;
  is_over = 1;
}

static void fire_and_leave(void) {
  while (!is_over) {
    dtrace_site_fire(none, 0, NULL);
    usleep(1000);
  }
}

int main(int count, char** words) {
  const char* what = "values";
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "private") == 0) {
      flags = DTRACE_PROVIDER_PRIVATE;
    } else {
      what = words[i];
    }
  }
  if (strcmp(what, "rounds") == 0) {
    for (int i = 0; i < kRounds; i++) {
      make();
      is_over = seen = 0;
      run_threads(2, fire_until_over, free_while_fired);
      printf("round %d\n", seen >= 10);
    }
    return 0;
  }
  signal(SIGUSR1, end);
  make();
  make_many();
  printf("made\n");
  fflush(stdout);
  if (strcmp(what, "values") == 0) values(1);
  while (strcmp(what, "wait") == 0) {
    values(0);
    usleep(10000);
  }
  if (strcmp(what, "leave") == 0) fire_and_leave();
  if (strcmp(what, "threads") == 0) run_threads(kThreads, thread, NULL);
  if (strcmp(what, "fork") == 0) fork_and_fire();
  must(dtrace_provider_free(made), "free");
  printf("freed: %s\n", dtrace_site_fire(none, 0, NULL) == ENXIO ? "ENXIO" : "?");
  return 0;
}
