// ops KIND N CLOCK [FILE]: does an operation N times, and prints the ns that one takes: of this process and of those
// that it makes (cpu), or of time (wall).
//   exec     a program, FILE, is executed and ends
//   open     /dev/null is opened and closed
//   disk     4096 bytes of FILE are read, past the page cache
//   connect  a connection over the loopback interface is made and reset
//   switch   a byte goes to another process on the same CPU and back: each waits for the other
//   read     a byte is read of /dev/zero
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *file;

static void need(int ok, const char *what) {
  if (!ok) {
    perror(what);
    exit(1);
  }
}

static double cpu_ns(int who) {
  struct rusage used;
  getrusage(who, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e9 +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e3;
}

static double wall_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void exec_one(void) {
  extern char **environ;
  char *const words[] = {(char *)(long)file, "one", "two", NULL};
  pid_t child = 0;
  need(posix_spawn(&child, file, NULL, NULL, words, environ) == 0, file);
  need(waitpid(child, NULL, 0) == child, "waitpid");
}

static void open_one(void) {
  const int fd = open("/dev/null", O_RDONLY);
  need(fd >= 0, "open");
  close(fd);
}

static void disk_one(void) {
  static int fd = -1;
  static void *page;
  if (fd < 0) {
    fd = open(file, O_RDONLY | O_DIRECT);
    need(fd >= 0 && posix_memalign(&page, 4096, 4096) == 0, file);
  }
  need(pread(fd, page, 4096, 0) == 4096, "pread");
}

static void connect_one(void) {
  static int server = -1;
  static struct sockaddr_in address;
  socklen_t length = sizeof address;
  if (server < 0) {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server = socket(AF_INET, SOCK_STREAM, 0);
    need(bind(server, (struct sockaddr *)&address, sizeof address) == 0 && listen(server, 8) == 0, "listen");
    getsockname(server, (struct sockaddr *)&address, &length);
  }
  const struct linger reset = {1, 0};
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  need(connect(client, (struct sockaddr *)&address, sizeof address) == 0, "connect");
  const int peer = accept(server, NULL, NULL);
  setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  close(client);
  close(peer);
}

static void answer(int from, int to) {
  char byte;
  while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1) {
  }
  _exit(0);
}

static int there[2], back[2];

static void start_answering(void) {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  need(sched_setaffinity(0, sizeof first, &first) == 0 && pipe(there) == 0 && pipe(back) == 0, "pipe");
  if (fork() == 0) {
    close(there[1]);
    answer(there[0], back[1]);
  }
}

static void switch_one(void) {
  char byte = 'x';
  need(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1, "pipe");
}

static void read_one(void) {
  static int fd = -1;
  char byte;
  if (fd < 0) fd = open("/dev/zero", O_RDONLY);
  need(read(fd, &byte, 1) == 1, "read");
}

static const struct {
  const char *name;
  void (*one)(void);
} kinds[] = {{"exec", exec_one},       {"open", open_one},     {"disk", disk_one},
             {"connect", connect_one}, {"switch", switch_one}, {"read", read_one}};

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const long n = atol(argv[2]);
  const int is_wall = strcmp(argv[3], "wall") == 0;
  file = argc > 4 ? argv[4] : "/bin/true";
  void (*one)(void) = NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(argv[1], kinds[i].name) == 0) one = kinds[i].one;
  }
  if (one == NULL) return 2;
  if (one == switch_one) start_answering();
  one();
  const double wall = wall_ns(), cpu = cpu_ns(RUSAGE_SELF), ended = cpu_ns(RUSAGE_CHILDREN);
  for (long i = 0; i < n; i++) one();
  const double took = is_wall ? wall_ns() - wall : cpu_ns(RUSAGE_SELF) - cpu;
  if (one == switch_one) {  // what the other one has used is known when it has ended
    close(there[1]);
    wait(NULL);
  }
  printf("%.1f\n", (took + (is_wall ? 0 : cpu_ns(RUSAGE_CHILDREN) - ended)) / (double)n);
  return 0;
}
