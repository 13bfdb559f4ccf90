// absent FILE: after a getppid(), opens three paths that nobody has looked at:
// one at the start of a page, one across the border of two, one that is nowhere.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define BORDER (2 * PAGE)

static const char first[] = "/at/the/start", second[] = "/across/the/border";

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ftruncate(fd, 4 * PAGE) != 0) return 1;
  if (pwrite(fd, first, sizeof first, 0) != sizeof first) return 1;
  if (pwrite(fd, second, sizeof second, BORDER - 5) != sizeof second) return 1;
  // Nothing is brought in around what is touched.
  char* one = mmap(NULL, 4 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
  char* two = mmap(NULL, 4 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
  if (one == MAP_FAILED || two == MAP_FAILED) return 1;
  madvise(one, 4 * PAGE, MADV_RANDOM);
  madvise(two, 4 * PAGE, MADV_RANDOM);
  syscall(SYS_getppid);
  syscall(SYS_openat, AT_FDCWD, one, O_RDONLY);
  syscall(SYS_openat, AT_FDCWD, two + BORDER - 5, O_RDONLY);
  syscall(SYS_openat, AT_FDCWD, (char*)8, O_RDONLY);
  return 0;
}
