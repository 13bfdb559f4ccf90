// cold ROUNDS [THREADS]: calls look(text, round) with texts in pages that nobody has touched since they
// were mapped: "across", three bytes of it in one page and the rest in the next. A probe of sys/sdt.h in it,
// cold:::seen, has the byte at `text` as its argument.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "note.h"

#define PAGE 4096

void look(const char* text, long round);
__asm__(NOTE_BASE
        ".text\n"
        ".globl look\n"
        ".type look, @function\n"
        "look:\n" NOTE("cold", "seen", "0", "-1@(%rdi) 8@%rdi")
        "  ret\n"
        ".size look, . - look\n");

static int file;
static long rounds;

static void* go(void* unused) {
  for (long i = 0; i < rounds; i++) {
    char* pages = mmap(NULL, 3 * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
    if (pages == MAP_FAILED) abort();
    madvise(pages, 3 * PAGE, MADV_RANDOM);  // nothing is brought in around what is touched
    look(pages + PAGE - 3, i);
    munmap(pages, 3 * PAGE);
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  rounds = atol(argv[1]);
  const int threads = argc > 2 ? atoi(argv[2]) : 1;
  char name[] = "/tmp/coldXXXXXX";
  file = mkstemp(name);
  unlink(name);
  if (file < 0 || ftruncate(file, 3 * PAGE) != 0 || pwrite(file, "across", 7, PAGE - 3) != 7) return 1;
  pthread_t others[64];
  for (int i = 1; i < threads && i < 64; i++) pthread_create(&others[i], NULL, go, NULL);
  go(NULL);
  for (int i = 1; i < threads && i < 64; i++) pthread_join(others[i], NULL);
  return 0;
}
