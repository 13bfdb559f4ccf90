# Functions by who calls them: .plt, what a program calls of other files; .callee and .callees, what a function calls.
. "$TESTS/lib.sh"
cat >"$work/c.c" <<'END'
#include <stdlib.h>
#include <string.h>
volatile int sum;
__attribute__((noinline)) int leaf(int n, const char* what) {
  sum += n;
  return n * 2 + (int)strlen(what);
}
__attribute__((noinline)) int other(int n) {
  sum += n;
  return n;
}
__attribute__((noinline)) int first(int n) { return leaf(n, "one") + other(n) + leaf(n + 1, "three"); }
__attribute__((noinline)) int second(int n) { return leaf(n, "second") + 1; }
__attribute__((noinline)) int through(int (*function)(int), int n) { return function(n) + 1; }
int main(void) {
  char* memory = malloc(333);
  memory[0] = 0;
  sum += first(10) + second(20) + leaf(30, "main") + through(other, 5) + (getenv(memory) == 0);
  free(memory);
  return 0;
}
END
gcc -g -O0 -fno-builtin -o "$work/c" "$work/c.c" || fail gcc
gcc -g -O2 -fno-builtin -o "$work/o" "$work/c.c" || fail gcc
sed 's/ + 1; }/; }/' "$work/c.c" >"$work/j.c"
gcc -g -O2 -fno-builtin -o "$work/j" "$work/j.c" || fail gcc
# at PROGRAM SUFFIX STATEMENT WANTED
at() {
  run_undisturbed "$STAP" -e 'probe process("'"$work/$1"'").'"$2"' { if (pid() != target()) next; '"$3"' }' -c "$work/$1"
  want 0
  same out "$4"
}
refuses() {
  run "$STAP" -e 'probe process("'"$work/$1"'").'"$2"' { '"$3"' }'
  want 1
  has err "$4"
}
for program in c o; do
  at $program 'plt("malloc")' 'printf("%d %s %s\n", $arg1, $$name, probefunc())' '333 malloc malloc\n'
  at $program 'plt("[fm]*e*")' 'printf("%s ", $$name)' 'free '
  at $program 'plt("{malloc,free}") ?, never' 'println("none")' ''
  at $program 'plt' 'if (isinstr("malloc getenv free", $$name)) printf("%s ", $$name)' 'malloc getenv free '
  at $program 'plt("getenv")' 'println(user_string(pointer_arg(1)) == "" ? pp() : "?")' "process(\"$work/$program\").plt(\"getenv\")\n"
  at $program 'function("first").callee("leaf")' 'printf("%d:%s ", $n, user_string($what))' '10:one 11:three '
  at $program 'function("second").callee("leaf")' 'println($n, " ", ppfunc())' '20 leaf\n'
  at $program 'function("second").callee("leaf").call' 'println(pp())' "process(\"$work/$program\").function(\"second\").callee(\"leaf\")\n"
  at $program 'function("{first,second}").callee("leaf") ?, never' '' ''
  at $program 'function("first").callee("leaf").return' 'printf("%d:%d ", @entry($n), $return)' '10:23 11:27 '
  at $program 'function("first").callees' 'printf("%s%d ", ppfunc(), $n)' 'leaf10 other10 leaf11 '
  at $program 'function("*").callee("leaf")' 'printf("%d ", $n)' '10 11 20 30 '
  at $program 'function("main").callees' 'printf("%s ", ppfunc())' 'first second leaf through '
  at $program 'function("first@c.c").callee("oth*")' 'printf("%d ", $n)' '10 '
done
at c 'function("second").callee("leaf")' 'println(user_string(register("rsi")), " ", user_string(register("rdi"), "?"))' 'second ?\n'
at o 'function("main").callee("leaf").return' 'println($return)' '64\n'
# Also by a call through a pointer, if there is another one.
refuses c 'function("through").callee("other")' '' "'through' calls no function 'other' of its program"
refuses c 'function("first").callee("none")' '' "'first' calls no function 'none'"
refuses c 'function("none").callee("leaf")' '' "no function 'none'"
refuses c 'function("leaf").callees' '' "'leaf' calls nothing"
refuses c 'function("main").callees(2)' '' 'calls within called functions are not followed: use .callees'
refuses c 'function("main").callee' '' "invalid suffix for probe: identifier 'callee'"
refuses j 'function("second").callee("leaf")' '' 'it leaves by a jump to it'
refuses c 'plt("malloc").return' '' 'use .library("LIBRARY").function("NAME").return'
refuses c 'plt("mallok")' '' "(similar functions: malloc, "
refuses c 'plt("malloc")' 'println($size)' "unable to find local 'size'"
# Without debugging information, and what was stripped of its symbols.
gcc -O0 -fno-builtin -s -o "$work/s" "$work/c.c" || fail gcc
at s 'plt("malloc")' 'println($arg1)' '333\n'
gcc -static -o "$work/t" "$work/c.c" 2>/dev/null && refuses t 'plt("malloc")' '' 'calls no function'
run "$STAP" -l 'process("'"$work/c"'").plt("[fgs]*e*")'
want 0
same out "process(\"$work/c\").plt(\"free\")\nprocess(\"$work/c\").plt(\"getenv\")\nprocess(\"$work/c\").plt(\"strlen\")\n"
run "$STAP" -l 'process("'"$work/c"'").function("first").callees'
same out "process(\"$work/c\").function(\"first\").callee(\"leaf\")\nprocess(\"$work/c\").function(\"first\").callee(\"other\")\n"
# lld describes no linkage table to unwinders; __cxa_finalize is called by startup code alone.
if command -v clang >/dev/null && command -v ld.lld >/dev/null; then
  clang -O1 -fno-builtin -fuse-ld=lld -o "$work/l" "$work/c.c" || fail clang
  at l 'plt' 'if (isinstr("malloc getenv free", $$name)) printf("%s ", $$name)' 'malloc getenv free '
  run "$STAP" -l 'process("'"$work/l"'").plt("__cxa_finalize")'
  want 0
fi
# What such a table jumps to returns to the caller.
run "$DTRACE" -qn 'pid$target:a.out:strlen@plt:return { trace(arg1) }' -c "$work/c"
want 1
has err "'strlen@plt' does not return: it jumps to 'strlen', which returns to the caller"
# Of the process of -c, and in D.
run_undisturbed "$STAP" -e 'probe process.plt("malloc") { println($arg1) }' -c "$work/c"
same out '333\n'
run_undisturbed "$DTRACE" -qn 'pid$target:a.out:malloc@plt:entry { trace(arg0) }' -c "$work/c"
has out 333
done_testing
