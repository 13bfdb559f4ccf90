// faults PAGES: getppid(), the first write to each of PAGES pages, getppid().
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const long pages = atol(argv[1]), page = sysconf(_SC_PAGESIZE);
  char* memory = mmap(0, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || madvise(memory, pages * page, MADV_NOHUGEPAGE) != 0) return 1;
  syscall(SYS_getppid);
  for (long i = 0; i < pages; ++i) memory[i * page] = 1;
  syscall(SYS_getppid);
  return 0;
}
