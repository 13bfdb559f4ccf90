// chain: makes so many processes, each the child of the last one: chain COUNT. The last one prints its number and that
// of the first, and calls getppid() until the first one is killed.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1;
  const int first = getpid();
  for (int i = 1; i < count; ++i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child > 0) {
      wait(0);
      return 0;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  printf("%d %d\n", first, getpid());
  fflush(stdout);
  while (getppid() != 1) usleep(10000);
  return 0;
}
