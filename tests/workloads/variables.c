// variables: variables of each kind, whose values are known at the lines that are marked. With an argument, in a thread.
#include <pthread.h>
#include <stddef.h>

enum color { RED, GREEN = 5, BLUE };
struct point {
  int x, y;
};
struct node {
  char name[12];
  struct node* next;
  struct point at;
  unsigned narrow : 3;
  int negative : 5;
  unsigned long wide : 40;
  enum color color;
  int list[3];
  const char* text;
  double weight;
};
struct large {
  long words[4];
};

int counter = 7;
static long hidden = -9;
const char* title = "the title";
struct node head = {"first", NULL, {1, -2}, 5, -3, 123456789012, GREEN, {10, 20, 30}, "text", 2.5};
int table[4] = {10, 20, 30, 40};

__attribute__((noinline)) long walk(const struct node* node, unsigned char small, short negative, const char* word) {
  static int calls = 100;
  long total = 0;
  calls += word[0] != 0;  // and the page of the texts is in memory
  for (int i = 0; i < 3; i++) {
    int square = node->list[i] * node->list[i];
    total += square;  // in the loop
  }
  hidden += small;
  return total + small + negative + word[0];  // behind the loop
}

// Floating-point numbers have registers of their own.
__attribute__((noinline)) int mixed(double half, int first, float quarter, long second) {
  return first + (int)second + (int)half + (int)quarter;
}

// What follows a structure is not where it would be behind numbers; a large result is written to where a hidden
// argument leads.
__attribute__((noinline)) int behind(int before, struct large large, int after) {
  return before + after + (int)large.words[0];
}
__attribute__((noinline)) struct large made_of(int first, int second) {
  return (struct large){{first, second, 0, 0}};
}

// Results that are no numbers.
__attribute__((noinline)) double half_of(int number) { return number / 2.0; }
__attribute__((noinline)) struct point point_at(int x, int y) { return (struct point){x, y}; }
__attribute__((noinline)) void set(int* to, int value) { *to = value; }
__attribute__((noinline)) signed char narrow(int number) { return (signed char)(number - 10); }

// In the code of those that call them.
static inline __attribute__((always_inline)) int twice(int number) {
  int doubled = number * 2;
  return doubled + counter;  // of twice
}
static inline __attribute__((always_inline)) int around(int number, int other) { return twice(number + 1) + other; }
__attribute__((noinline)) int inlining(int first) { return twice(first) + around(first, 50); }

static void* thread(void* argument) {
  counter += walk(&head, 1, -1, "w") > 0;
  return argument;
}

int main(int argc, char** argv) {
  struct node second = {"second", &head, {3, -4}, 1, 2, 3, BLUE, {1, 2, 3}, "other", 0};
  char buffer[8] = "buffer";
  struct large large = {{1, 2, 3, 4}};
  (void)argv;
  head.next = &second;
  int result = (int)walk(&second, 200, -300, "word");
  result += mixed(0.5, -11, 0.25, 12) + behind(1, large, -2);  // in main
  result += (int)made_of(21, 22).words[0] + buffer[0];
  int other;
  set(&other, 3);
  result += (int)half_of(other) + point_at(other, 4).y + narrow(other);
  result += inlining(20);
  if (argc > 1) {
    pthread_t one;
    if (pthread_create(&one, NULL, thread, NULL) != 0) return 1;
    pthread_join(one, NULL);
  }
  return result == 0;
}
