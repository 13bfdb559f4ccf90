// What the files are made of that tests/elf damages: a program and a library with probes, functions
// that were inlined, a choice at the start (IFUNC), versions and data of all kinds. Compiled as
// C and as C++; with SAMPLE_LIBRARY as a library, with SAMPLE_BARE without a C library.

#define _SDT_HAS_SEMAPHORES 1
#include <dtrace/sdt.h>

#ifdef __cplusplus
namespace sample {
#endif

struct point {
  int x, y : 5, z : 3;
  struct point* next;
  union {
    double wide;
    char text[16];
  } u;
};
enum colour { kRed, kGreen = 7, kBlue = -1 };
typedef long (*step)(struct point*, enum colour);

static inline __attribute__((always_inline)) long inner(long a) { return a * 3 + 1; }
static inline __attribute__((always_inline)) long outer(struct point* p, long a) {
  return inner(a) + inner(p->x) + p->y;
}

#ifdef __cplusplus
extern "C" {
#endif
DTRACE_SDT_COUNTED(sample_start_semaphore) = 0;
DTRACE_SDT_COUNTED(sample_counted__end_semaphore) = 0;
long volatile counter = 1;
__attribute__((noinline)) long walk(struct point* p, enum colour c) {
  long sum = c;
  for (; p != 0; p = p->next) sum += outer(p, sum);
  return sum;
}
__attribute__((noinline)) long choose(long a) {
  switch (a) {
    case 0:
      return counter;
    case 1:
      return walk(0, kGreen) + 4;
    case 2:
      return a << counter;
    case 3:
      return inner(counter);
    case 4:
      return -a;
    default:
      return a / 3;
  }
}
static long wide(long a) { return a + 1; }
static long narrow(long a) { return a + 2; }
static long (*resolve(void))(long) { return counter ? wide : narrow; }
long chosen(long) __attribute__((ifunc("resolve")));
__attribute__((noinline)) long fire(struct point* p, int n, const char* text) {
  DTRACE_PROBE3(sample, start, n, p->x, text);
  if (DTRACE_SDT_ENABLED(sample_counted__end_semaphore)) counter++;
  long r = choose(n) + chosen(n);
  DTRACE_PROBE2(sample, counted__end, r, p->u.wide);
  return r;
}
#ifdef __cplusplus
}
template <typename T>
struct box {
  T held;
  __attribute__((noinline)) T get(int n) const {
    return held + static_cast<T>(fire(nullptr, n, "box"));
  }
};
template struct box<long>;
template struct box<short>;
}  // namespace sample
using namespace sample;
#endif

#ifdef SAMPLE_BARE
void _start(void) {
  struct point p = {1, 2, 3, 0, {0}};
  long r = fire(&p, (int)counter, "bare");
  __asm__ volatile("syscall" ::"a"(231), "D"(r & 1));
}
#elif !defined SAMPLE_LIBRARY
int main(int argc, char** argv) {
  struct point p = {1, 2, 3, 0, {0}};
  return (int)(fire(&p, argc, argv[0]) & 1);
}
#endif
