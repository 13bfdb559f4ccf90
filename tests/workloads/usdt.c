// usdt: probes as sys/sdt.h makes them, with each form of argument, at known places and with known
// values. Prints how often its semaphore was up. With an argument it goes on until it is told to end.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "note.h"

volatile unsigned short usdt_semaphore __attribute__((section(".probes"), used));
long usdt_table[4] = {100, 200, 300, 400};
int usdt_counter = -77;

void fire(long number), fire_twice(long number), fire_busy(const char* text);

__asm__(
    NOTE_BASE
    ".text\n"
    ".type fire, @function\n"
    "fire: push %rbx\n"
    "  push %rbp\n"
    "  mov %rsp, %rbp\n"
    "  sub $32, %rsp\n"
    "  mov %rdi, %rax\n"
    "  movabs $0x1122334455667788, %rcx\n"
    "  mov $-5, %edx\n"
    "  mov $0x18001, %r11d\n"
    "  mov %rcx, -16(%rbp)\n"
    "  movl $-7, -24(%rbp)\n"
    "  lea usdt_table(%rip), %rbx\n"
    "  mov $2, %r10d\n" NOTE("demo", "every__form", "0",
                             "8@%rax -4@%edx 2@%r11w -2@%r11w 1@%ch -1@%cl 8@-16(%rbp) -4@-24(%rbp) "
                             "8@(%rbx,%r10,8) 4@$-9")
        NOTE("demo", "other__forms", "0",
             "-8@$-3 -4@usdt_counter(%rip) 4@usdt_table+8(%rip) 8f@%xmm0 8@8(%rbx,%r10,8) %rbx 8@-8(%rbx,%r10,4)")
    "  leave\n"
    "  pop %rbx\n"
    "  ret\n"
    ".size fire, . - fire\n"
    ".type fire_twice, @function\n"
    "fire_twice:\n" NOTE("demo2", "twice", "0", "8@%rdi 4@$1")
    "  mov %rdi, %r9\n"
    "  xor %edi, %edi\n" NOTE("demo2", "twice", "0", "8@%r9 4@$2")
    "  ret\n"
    ".size fire_twice, . - fire_twice\n"
    ".type fire_busy, @function\n"
    "fire_busy:\n" NOTE("demo", "busy", "usdt_semaphore", "8@%rdi")
    "  ret\n"
    ".size fire_busy, . - fire_busy\n");

static volatile sig_atomic_t told;
static void tell(int signal) { told = signal; }

int main(int argc, char** argv) {
  (void)argv;
  static char text[] = "somebody looks";
  int up = 0;
  text[0] = 's';  // now it is in memory
  signal(SIGTERM, tell);
  do {
    for (long i = 0; i < 10; i++) {
      fire(i);
      fire_twice(i);
      if (usdt_semaphore != 0) {
        up++;
        fire_busy(text);
      }
    }
    if (argc > 1) usleep(1000);
  } while (argc > 1 && !told);
  printf("up %d times, now %d\n", up, usdt_semaphore);
  return 0;
}
