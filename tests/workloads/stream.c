// stream SEED COUNT: two threads make COUNT calls lseek(-1, VALUE, KEY) each, all of
// which fail; the values are a known random stream of every magnitude
// (tests/conformance/soundness/tst.arithmetic.py makes the same).
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t seed;
static long count;

static uint64_t next(uint64_t* state) {  // splitmix64
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void* run(void* number) {
  uint64_t state = seed * 2 + (uint64_t)(uintptr_t)number;
  for (long i = 0; i < count; ++i) {
    const uint64_t how = next(&state);
    const int64_t value = (int64_t)next(&state) >> (how % 64);
    syscall(SYS_lseek, -1, value, (how >> 8) % 5);
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  seed = strtoull(argv[1], 0, 10);
  count = atol(argv[2]);
  pthread_t ids[2];
  for (uintptr_t i = 0; i < 2; ++i) {
    if (pthread_create(&ids[i], 0, run, (void*)i) != 0) return 1;
  }
  for (int i = 0; i < 2; ++i) pthread_join(ids[i], 0);
  return 0;
}
