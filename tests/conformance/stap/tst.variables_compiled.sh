# Variables of programs as compilers leave them: before a frame exists, as constants, in copies of functions, across
# units.
. "$TESTS/lib.sh"
cat >"$work/w.c" <<'END'
struct point { int x, y; };
struct packed { char first; long second; } __attribute__((packed));
volatile int sum;
__attribute__((noinline)) int local(int n) {
  int own = n + 1;  // the first line
  sum += own;       // behind it
  return own;
}
// With a frame of its caller in which nothing can be read.
int lost(int n);
__asm__("lost: push %rbp; mov $16, %ebp; call local; pop %rbp; ret");
__attribute__((noinline)) struct point pair_of(int a) { return (struct point){a, a + 1}; }
__attribute__((noinline)) struct packed packed_of(int a) { return (struct packed){1, a}; }
__attribute__((noinline)) int nowhere(const struct point* at, int n) {
  sum += n;      // of nowhere
  return at != 0;
}
int main(void) { return lost(4) + pair_of(6).y + (int)packed_of(3).second + nowhere((struct point*)16, 7) == 0; }
END
line_of() { grep -n "// $1" "$work/w.c" | cut -d: -f1; }
# at PROGRAM POINT STATEMENT WANTED: the pattern of all that the statement prints.
at() {
  run_undisturbed "$STAP" -e 'probe process("'"$work/$1"'").'"$2"' { '"$3"' }' -c "$work/$1"
  if [ "$status" != 0 ] || ! tr '\n' '|' <"$work/out" | grep -Eqx -- "$4"; then
    fail "$1: $2 { $3 }: wanted $4"
    cat "$work/out" "$work/err"
  fi
}
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  program=plain_$compiler
  "$compiler" -g -O0 -o "$work/$program" "$work/w.c" || fail "$compiler"
  # What cannot be read is ?, and the script goes on.
  at $program 'statement("local@w.c:'"$(line_of 'behind it')"'")' 'println($$vars)' 'n=0x4 own=0x5\|'
  at $program 'statement("nowhere@w.c:'"$(line_of 'of nowhere')"'")' 'println($$vars$)' 'at=\? n=7\|'
  at $program 'function("nowhere")' 'println($$parms$)' 'at=\? n=7\|'
  # Each probe has its own place of a variable: where a function begins, a parameter is in its register.
  at $program 'statement("local@w.c:*")' 'printf("%s ", $$parms)' '(n=0x4 ){4,5}'
  at $program 'statement("local@w.c:*")' 'printf("%d ", $n)' '(4 ){4,5}'
  at $program 'statement("*@w.c:*")' 'if (isinstr(pp(), "nowhere@")) printf("%s ", $$parms)' '(at=0x10 n=0x7 ){3,4}'
done
# clang finds variables from the frame pointer, which is still the caller's at the first line.
if command -v clang >/dev/null; then
  first=$(grep -n 'int local' "$work/w.c" | cut -d: -f1)
  at plain_clang 'statement("local@w.c:'"$first"'")' 'println($$vars)' 'n=0x4 own=\?\|'
  at plain_clang 'statement("local@w.c:'"$first"'")' 'println($$locals$)' 'own=\?\|'
fi
# Constants, and what the source computes of registers; with link-time optimization, too.
cat >"$work/c.c" <<'END'
volatile int sum;
static const int limit = -12;
static inline __attribute__((always_inline)) int scale(int v, int k) {
  int times = v * k;
  return times + 1;
}
__attribute__((noinline)) int constant(int n) {
  const int kk = 77;
  const unsigned char small = 200;
  const long negative = -5;
  sum += n + kk + small + (int)negative + limit;  // of constants
  sum += scale(n, 3);
  return sum;
}
int main(void) { return constant(sum) == 0; }
END
here='statement("constant@c.c:'$(grep -n '// of constants' "$work/c.c" | cut -d: -f1)'")'
for how in 'gcc -O1' 'gcc -O2' 'gcc -O2 -flto' 'clang -O2'; do
  command -v "${how%% *}" >/dev/null || continue
  $how -g -o "$work/constants" "$work/c.c" 2>/dev/null || continue
  at constants "$here" 'printf("%d %d %d", $kk, $small, $negative)' '77 200 -5'
  at constants "$here" 'print($$locals)' 'kk=0x4d small=0xc8 negative=0xfffffffffffffffb'
  at constants "$here" 'print($$locals$)' "kk=77 small='\\\\310' negative=-5"
  k='(0x3|\?)'
  [ "$how" != 'clang -O2' ] || k=0x3  # gcc does not say it of the first instruction
  at constants 'function("scale").inline' 'print($$parms)' "v=(0x[0-9a-f]+|\?) k=$k|k=$k v=(0x[0-9a-f]+|\?)"
done
# Copies of functions that gcc has made have the name of the function, and so have inlined ones.
cat >"$work/i.c" <<'END'
static __attribute__((noinline)) int copied(const int* p, int unused) { return *p + 5; }
static inline __attribute__((always_inline)) int inside(int n) { return n * 3; }
int main(int argc, char** argv) {
  (void)argv;
  return copied(&argc, 3) + inside(argc) == 0;
}
END
if command -v gcc >/dev/null && gcc -g -O2 -o "$work/copies" "$work/i.c"; then
  at copies 'statement("copied@i.c:1")' 'print("here")' here
  at copies 'statement("inside@i.c:2")' 'print(ppfunc())' inside
  at copies 'function("inside@i.c")' 'print(ppfunc())' inside
  at copies 'function("copied")' 'printf("%s %s", ppfunc(), pp())' 'copied process\("[^"]*"\).function\("copied"\)'
fi
done_testing
