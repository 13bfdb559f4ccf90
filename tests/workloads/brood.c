// brood: forks so many children, which call work() so often each, as it does itself when they have
// ended: brood CHILDREN CALLS [FILE WORD...]. With a FILE the children execute that instead. Each
// process that has called says its number and how often. The probe brood:::call is in work().
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/dtrace/sdt.h"

__attribute__((noinline)) int work(int number) {
  DTRACE_PROBE2(brood, call, number, getpid());
  return number + 1;
}

static int calls(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += work(i) - i;
  char line[64];
  const int length = snprintf(line, sizeof line, "%d %d\n", getpid(), sum);
  return write(1, line, (size_t)length) == length && sum == count ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int children = atoi(argv[1]), count = atoi(argv[2]);
  for (int i = 0; i < children; ++i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child > 0) continue;
    if (argc == 3) return calls(count);
    execvp(argv[3], argv + 3);
    return 1;
  }
  int bad = 0, status = 0;
  while (wait(&status) > 0) bad |= status;
  return bad != 0 ? 1 : calls(count);
}
