# Functions of a program by name and file: several of one name, copies in other functions, symbols of C++, labels.
. "$TESTS/lib.sh"
mkdir "$work/dir"
cat >"$work/dir/f1.c" <<'END'
extern volatile int sink;
__attribute__((noinline)) static int one(int a) {
  sink += a;
  return a + 1;
}
int call1(int x) { return one(x) + one(x + sink - sink); }
unsigned long wide = -1;
END
cat >"$work/f2.c" <<'END'
extern volatile int sink;
__attribute__((noinline)) static long one(const volatile char* text, long b) {
  sink += (int)b + text[0];
  return b * 2;
}
const volatile char* volatile word = "text";
long call2(long x) { return one(word, x + sink - sink) + one(word, x + 7); }
END
cat >"$work/main.c" <<'END'
volatile int sink;
int call1(int);
long call2(long);
int both(int n) {
  sink += n;
  return n * 2;
}
int (*volatile pointer)(int) = both;
static inline __attribute__((always_inline)) int scale(int v, int k) {
  int times = v * k;
  sink += times;  // of scale
  return times + 1;
}
struct pair { int x, y; };
__attribute__((noinline)) struct pair pair_of(int a, const char* name) { return (struct pair){a + sink - sink, name[0]}; }
struct __attribute__((packed)) uneven { char first; long second; };
__attribute__((noinline)) struct uneven uneven_of(int a) { return (struct uneven){1, a + sink - sink}; }
__attribute__((noinline)) int jumps(int n) {
  sink += 2;
again:
  sink += n;
  if (--n > 0) goto again;
  return sink;
}
int main(void) {
  call1(10);
  call2(100);
  pointer(3);
  sink += scale(4, 5);
  sink += scale(6, 7);
  sink += both(8);
  pair_of(12, "z");
  uneven_of(13);
  jumps(3);
  return 0;
}
END
line_of() { grep -n "// $2" "$work/$1" | cut -d: -f1; }
# prints PROGRAM SCRIPT WANTED: the sorted lines that the script prints in one run.
prints() {
  run_undisturbed "$STAP" -e "$2" -c "$work/$1"
  LC_ALL=C sort -o "$work/out" "$work/out"
  if [ "$status" != 0 ] || [ "$(cat "$work/out")" != "$(printf '%b' "$3")" ]; then
    fail "$how: $2: wanted $3"
    cat "$work/out" "$work/err"
  fi
}
for how in 'gcc -O0 -gdwarf-5' 'gcc -O2 -gdwarf-5' 'gcc -O2 -gdwarf-4' 'clang -O0 -gdwarf-5' 'clang -O2 -gdwarf-5' 'clang -O2 -gdwarf-4'; do
  command -v "${how%% *}" >/dev/null || continue
  (cd "$work" && $how -o names dir/f1.c f2.c main.c) || { fail "$how"; continue; }
  p='process("'"$work/names"'")'
  prints names "probe $p.function(\"one@f1.c\") { printf(\"%d %s\\n\", \$a, ppfunc()) }" '10 one\n10 one'
  prints names "probe $p.function(\"one@dir/f1.c:3\").call { println(\$a) }" '10\n10'
  prints names "probe $p.function(\"one@f2.c\") { printf(\"%s %d\\n\", user_string(\$text), \$b) }" 'text 100\ntext 107'
  prints names "probe $p.function(\"one@f1.c\").return { println(\$return) }" '11\n11'
  prints names "probe $p.function(\"one@f2.c\").return { println(\$return) }" '200\n214'
  prints names "probe $p.function(\"*@f2.c\").call { println(ppfunc()) }" 'call2\none\none'
  prints names "probe $p.function(\"one\") { println(@defined(\$b) ? \$b : \$a) }" '10\n10\n100\n107'
  prints names "probe $p.statement(\"one@f1.c:3\") { println(\$a) }" '10\n10'
  prints names "global n probe $p.function(\"one@f1.c\") { n[ppfunc()]++ } probe end { println(n[\"one\"]) }" 2
  prints names "probe $p.function(\"call1\") { println(@var(\"wide\")\$) }" 18446744073709551615
  # clang has lists of locations by numbers in DWARF 5.
  case $how in
    clang*2*) prints names "probe $p.function(\"scale\") { printf(\"%d %d\n\", \$v, \$k) }" '4 5\n6 7' ;;
  esac
  # What is called and its copies.
  prints names "global n probe $p.function(\"scale\") { n++ } probe end { println(n) }" 2
  prints names "global n probe $p.function(\"scale@main.c\") { n++ } probe end { println(n) }" 2
  run "$STAP" -l "$p.function(\"one\").return"
  want 0
  same out "$p.function(\"one@$work/dir/f1.c:2\").return
$p.function(\"one@$work/f2.c:2\").return\n"
  prints names "probe $p.statement(\"scale@main.c:$(line_of main.c 'of scale')\") { println(ppfunc()) }" 'scale\nscale'
  prints names "probe $p.function(\"pair_of\").call { printf(\"%d %s\\n\", \$a, user_string(\$name)) }" '12 z'
  prints names "probe $p.function(\"uneven_of\") { println(\$a) }" 13
  prints names "probe $p.function(\"jumps\").return { printf(\"%d %d\\n\", @var(\"sink\") == \$return, \$return > 0) }" '1 1'
done
how='gcc -O0'
if command -v gcc >/dev/null && (cd "$work" && gcc -g -O0 -o plain dir/f1.c f2.c main.c); then
  p='process("'"$work/plain"'")'
  prints plain "probe $p.function(\"scale\") { printf(\"%d %d\\n\", \$v, \$k) }" '4 5\n6 7'
  prints plain "probe $p.function(\"both\") { println(\$n) }" '3\n8'
  prints plain "probe $p.function(\"jumps\").label(\"again\") { println(\$n) }" '1\n2\n3'
  prints plain "probe $p.statement(\"main@main.c#31\") { println(ppfunc()) }" main
  prints plain "probe $p.statement(\"both@main.c:5,6\") { println(pp() !~ \":[56]\\\"\") }" '0\n0\n0\n0'
  run "$STAP" -l "$p.function(\"one\")"
  want 0
  same out "$p.function(\"one@$work/dir/f1.c:2\")
$p.function(\"one@$work/f2.c:2\")\n"
  run "$STAP" -e "probe $p.function(\"both\").exported { }"
  want 1
  has err "no function 'both' is exported"
  run "$STAP" -e "probe $p.function(\"main\").label(\"none\") { }"
  want 1
  has err "no label 'none' in 'main'"
fi
# C++: by the names of the source.
cat >"$work/c.cc" <<'END'
volatile int sink;
namespace ns {
template <typename T> struct Heap {
  T last;
  __attribute__((noinline)) int put(T value, int more) { last = value; sink += more; return more; }
};
struct Plain {
  __attribute__((noinline)) static int put(int value) { sink += value; return value; }
};
}
template <typename T> __attribute__((noinline)) T most(T a, T b) { sink += 1; return a > b ? a : b; }
int main() {
  ns::Heap<int> heap{0};
  heap.put(5, 6 + sink);
  ns::Plain::put(7 + sink - sink);
  most(1 + sink - sink, 2);
  most(3L + sink - sink, 4L);
}
END
for how in 'g++ -O0' 'clang++ -O0' 'clang++ -O2'; do
  command -v "${how%% *}" >/dev/null || continue
  (cd "$work" && $how -g -o heap c.cc) || { fail "$how"; continue; }
  p='process("'"$work/heap"'")'
  prints heap "probe $p.function(\"ns::Plain::put\").call { println(ppfunc()) }" put
  prints heap "probe $p.function(\"put\").call { println(probefunc()) }" 'put\nput'
  prints heap "probe $p.function(\"ns::Heap<int>::put\").call { printf(\"%d %d %d\\n\", \$value, \$more, \$this->last) }" '5 6 0'
  prints heap "probe $p.function(\"most<int>\").return { println(\$return) }" 2
  prints heap "probe $p.function(\"most\").return { printf(\"%s %d\\n\", ppfunc(), \$return) }" 'most<int> 2\nmost<long> 4'
done
done_testing
