// sixargs: one mmap() whose six arguments are known; it fails, on purpose.
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  syscall(SYS_mmap, 0x10000, 0x3000, 3, 0x2, -1L, 0x7000);
  return 0;
}
