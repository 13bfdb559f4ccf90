// pages FILE: faults and pages whose numbers are known, each kind between two calls of
// getppid(). FILE has 64 pages, which are on its device and nowhere else then.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kPage = 4096, kAnonymous = 500, kFilePages = 64, kForbidden = 5 };

static sigjmp_buf back;
static void leave(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void mark(void) { syscall(SYS_getppid); }

static void write_all(volatile char* memory) {
  for (int i = 0; i < kAnonymous; ++i) memory[i * kPage] = 1;
}

static long major_faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_majflt;
}

static long read_bytes(void) {
  FILE* file = fopen("/proc/self/io", "r");
  char line[128];
  long bytes = -1;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) sscanf(line, "read_bytes: %ld", &bytes);
  if (file != NULL) fclose(file);
  return bytes;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  char* memory = mmap(0, kAnonymous * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || madvise(memory, kAnonymous * kPage, MADV_NOHUGEPAGE) != 0) return 1;
  signal(SIGSEGV, leave);

  mark();
  write_all(memory);
  mark();

  const pid_t child = fork();
  if (child == 0) {
    mark();
    write_all(memory);
    mark();
    _exit(0);
  }
  waitpid(child, NULL, 0);

  mark();
  for (volatile int i = 0; i < kForbidden; ++i) {
    if (sigsetjmp(back, 1) == 0) ((void (*)(void))memory)();
  }
  mark();

  const int fd = open(argv[1], O_RDWR);
  if (fd < 0 || fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0) return 1;
  volatile char* file = mmap(0, kFilePages * kPage, PROT_READ, MAP_SHARED, fd, 0);
  if (file == MAP_FAILED || madvise((void*)file, kFilePages * kPage, MADV_RANDOM) != 0) return 1;
  const long bytes = read_bytes();
  const long faults = major_faults();
  mark();
  char sum = 0;
  for (int i = 0; i < kFilePages; ++i) sum += file[i * kPage];
  mark();
  const long new_faults = major_faults() - faults;
  printf("major %ld in %ld\n", new_faults, (read_bytes() - bytes) / kPage);

  char page[kPage] = {sum};
  mark();
  for (int i = 0; i < kFilePages; ++i) {
    if (pwrite(fd, page, kPage, (off_t)i * kPage) != kPage) return 1;
  }
  if (fsync(fd) != 0) return 1;
  mark();
  return 0;
}
