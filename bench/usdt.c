// The workload of the USDT benchmark: `usdt none|ours|checked|theirs|made CALLS` does a little work
// so often, with a probe of dtrace -h in each turn, one behind its check, one of sys/sdt.h, one
// that is made at run time, or none, and prints the nanoseconds of CPU time that a turn took.
// *_fields have arguments that are in memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_usdt.h"
#include "dtrace/probes.h"
#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#else
#define DTRACE_PROBE3(provider, name, a, b, c) exit(77)
#endif

static const char text[] = "text";
struct job {
  long id;
  int size;
  const char* name;
} jobs[16] = {{1, 2, text}};  // not static: nobody knows what is in it

// A step of a generator of random numbers, which the next one waits for.
#define STEP(state) ((state)*6364136223846793005UL + 1442695040888963407UL)
#define LOOP(name, site)                                        \
  __attribute__((noinline)) static unsigned long name(long n) { \
    unsigned long state = (unsigned long)n;                     \
    for (long i = 0; i < n; i++) {                              \
      state = STEP(STEP(state));                                \
      site;                                                     \
    }                                                           \
    return state;                                               \
  }

LOOP(none, __asm__ volatile(""))
LOOP(ours, BENCH_SITE(i, (int)state, text))
LOOP(checked, if (BENCH_CHECKED_ENABLED()) BENCH_CHECKED(i, (int)state, text))
LOOP(theirs, DTRACE_PROBE3(bench, theirs, i, (int)state, text))
#define JOB (&jobs[i & 15])
LOOP(ours_fields, BENCH_FIELDS(JOB->id, JOB->size, JOB->name))
LOOP(theirs_fields, DTRACE_PROBE3(bench, theirs_fields, JOB->id, JOB->size, JOB->name))

static const dtrace_site* site;
LOOP(made, DTRACE_SITE_FIRE(site, (uint64_t)i, (uint64_t)(int)state, (uintptr_t)text))

static int make_site(void) {
  dtrace_provider* provider;
  return dtrace_provider_create("bench", 0, &provider) == 0 &&
         dtrace_provider_probe(provider, "made", NULL, "long, int, const char *", &site) == 0 &&
         dtrace_provider_load(provider) == 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    unsigned long (*loop)(long);
  } loops[] = {{"none", none},
               {"ours", ours},
               {"checked", checked},
               {"theirs", theirs},
               {"ours_fields", ours_fields},
               {"theirs_fields", theirs_fields},
               {"made", made}};
  if (!make_site()) return 1;
  const long calls = argc > 2 ? atol(argv[2]) : 1000000;
  for (unsigned i = 0; argc > 1 && i < sizeof loops / sizeof *loops; i++) {
    if (strcmp(loops[i].name, argv[1]) != 0) continue;
    struct timespec from, to;
    unsigned long sum = loops[i].loop(calls / 10 + 1);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    sum += loops[i].loop(calls);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    const double ns = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
    printf("%.3f\n", ns / (double)calls);
    return sum == 42;
  }
  return 2;
}
