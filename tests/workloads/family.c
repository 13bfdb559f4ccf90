// family: functions with arguments of several types, a library function, a child that runs the same
// functions, and threads: each a known number of times.
//
//   family        4 calls of shorten(), 2 of lookup(), 3 of strtoul(), 1 child, 2 threads
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct name {
  const char* text;
  int length;
  struct name* next;
};
typedef short score_t;

__attribute__((noinline)) int shorten(signed char low, unsigned short high, score_t score, int sign) {
  __asm__ volatile("" : : "r"((int)low), "r"((int)high), "r"((int)score));
  return sign < 0 ? -low - 1 : high;
}

__attribute__((noinline)) const struct name* lookup(struct name* first, const char* wanted) {
  __asm__ volatile("" : : "r"(wanted) : "memory");
  return first->next;
}

static void* thread(void* argument) { return argument; }

int main(void) {
  struct name second = {"second", 6, NULL}, first = {"first", 5, &second};
  volatile int sum = shorten(-3, 40000, -7, 0) + shorten(2, 5, 7, -1);
  sum += lookup(&first, "first one")->length;
  volatile const char* numbers[] = {"10", "20", "30"};
  for (int i = 0; i < 3; i++) sum += (int)strtoul((const char*)numbers[i], NULL, 10);
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    sum = shorten(1, 2, 3, 0) + shorten(1, 2, 3, 0) + lookup(&first, "child's")->length;
    _exit(7);
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&threads[i], NULL, thread, NULL) != 0) return 1;
    pthread_join(threads[i], NULL);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) return 1;
  return 0;
}
