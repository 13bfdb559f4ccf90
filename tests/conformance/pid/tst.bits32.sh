# @@host
# 32-bit programs: their functions and probes are refused in words, and never taken for 64-bit ones; what the kernel knows of
# them (system calls, stacks by frame pointers) is there.
. "$TESTS/lib.sh"
cat >"$work/small.c" <<'E2'
static long sys(long n, long a, long b, long c) {
  long r;
  __asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory");
  return r;
}
__attribute__((noinline)) int leaf(int a, int b, int c) { sys(20, 0, 0, 0); return a + b + c; }
__attribute__((noinline)) int middle(int n) { int r = leaf(n, 20, 30) + 1; __asm__ volatile(""); return r; }
void _start(void) {
  int t = 0;
  for (int i = 0; i < 5; i++) t += middle(i);
  sys(1, t == 5 * 51 + 10 ? 0 : 1, 0, 0);
}
E2
gcc -m32 -O1 -fno-omit-frame-pointer -fno-pic -no-pie -static -nostdlib -ffreestanding -o "$work/small" "$work/small.c" 2>/dev/null ||
  { echo "skipped: no compiler of 32-bit programs"; exit 77; }
"$work/small" || { echo "skipped: the kernel runs no 32-bit programs"; exit 77; }
refused() { # DESCRIPTION TEXT
  run "$DTRACE" -q -c "$work/small" -n "$1 { @[arg0] = count(); }"
  want 1
  has err "$2"
}
refused 'pid$target:a.out:leaf:entry' 'ELF: 32-bit programs are not supported'
refused 'pid$target:::entry' 'ELF: 32-bit programs are not supported'
refused 'pid$target:a.out:-:8049000' 'ELF: 32-bit programs are not supported'
refused 'small$target:::probe' 'ELF: 32-bit programs are not supported'
refused 'plockstat$target:::mutex-acquire' 'has no glibc, whose locks plockstat knows'
run "$DTRACE" -q -c "$work/small" -n 'syscall::getpid:entry /pid == $target/ { @[ustack(3)] = count(); }'
want 0
matches out 'small`leaf'
matches out 'small`middle'
matches out '^ +5$'
done_testing
