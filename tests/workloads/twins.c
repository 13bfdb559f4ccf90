// twins: two functions of one name, in two objects that are made of this source; and a function whose first instruction
// is that of one that was inlined.
#if defined OTHER
__attribute__((noinline)) static int twin(int other, int number) {
  int made = other * 3 + number;
  return made + 1;
}
int call_other(int number) { return twin(number, 5); }
#elif defined OPTIMIZED
struct pair {
  int first, second;
};
static int counter = 7;
static inline __attribute__((always_inline)) int added(int number) {
  return number + *(volatile int*)&counter;  // of added
}
__attribute__((noinline)) int begins(int first, int number) { return added(first) * number; }
__attribute__((noinline)) int sum(struct pair pair) {
  *(volatile int*)&counter = 0;
  return pair.first + pair.second;  // of sum
}
#else
struct pair {
  int first, second;
};
int call_other(int number);
int begins(int first, int number);
int sum(struct pair pair);

__attribute__((noinline)) static int twin(int number, int unused) {
  int made = number * 2;  // of one
  return made + 1 + unused * 0;
}

// "e" is in "enum", too.
enum e { LEAST = -1 };
__attribute__((noinline)) static int of_enum(enum e e) { return e; }

int main(void) {
  return of_enum(LEAST) + twin(10, 0) + call_other(20) + begins(10, 20) + sum((struct pair){3, 4}) == 0;
}
#endif
