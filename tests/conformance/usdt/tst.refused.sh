# Notes that lie about their site or their counter are refused and named, the other probes fire, and the program does what
# it does.
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/liar.c" <<'E2'
#define _SDT_HAS_SEMAPHORES 1
#include <dtrace/sdt.h>
#include <stdio.h>
DTRACE_SDT_COUNTED(liar_honest_semaphore) = 0;
// Not where counters are: the kernel would count up what the program computes with.
unsigned short liar_counted_semaphore = 1000;
int five(void);
__asm__(".text\n.type five, @function\nfive: .cfi_startproc\n"
        "mov $5, %eax\nret\n.cfi_endproc\n.size five, . - five\n"
        ".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 8, 2f - 1f, 3\n.asciz \"stapsdt\"\n"
        "1: .8byte five + 1, _.stapsdt.base, 0\n.asciz \"liar\", \"inside\", \"\"\n2: .balign 4\n.popsection\n");
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    DTRACE_PROBE1(liar, honest, i);
    DTRACE_PROBE1(liar, counted, i);
    sum += five() + *(volatile unsigned short *)&liar_counted_semaphore;
  }
  printf("sum %d\n", sum);
  return 0;
}
E2
cc -O1 -I"$TESTS/../include" -o "$work/liar" "$work/liar.c" || exit 1
refused() { # NAME TEXT
  run "$DTRACE" -xerrtags -c "$work/liar" -n "liar\$target:::$1"
  want 1
  first err "\[D_PROC_USDT\] liar.liar:$1: $2\$"
}
refused inside 'no breakpoint may stand at 0x[0-9a-f]+, where its note has it'
refused counted 'its note has a counter at 0x[0-9a-f]+, which is not in .probes'
run "$DTRACE" -q -c "$work/liar" -n 'liar$target::: { @[probename] = count(); }'
want 0
has out 'sum 10050'
matches out 'honest +10$'
grep -qE 'inside|counted' "$work/out" && fail "a note that lies has fired"
done_testing
