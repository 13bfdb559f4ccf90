# What the compiler has made of a function that a program does not have: the hint says it.
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/absent.c" <<'E2'
#include <unistd.h>
static int inlined(int x) { return x * 2 + getppid(); }
__attribute__((noinline)) static int special(int x, int y) { __asm__ volatile(""); return x + y; }
int main(int count, char **words) {
  int sum = inlined(count);
  for (int i = 0; i < 3; i++) sum += special(count + i, 3);
  return sum == 1;
}
E2
cc -O2 -g -o "$work/absent" "$work/absent.c" || { fail "cannot build"; done_testing; }
nm "$work/absent" | grep -q ' special.constprop.0' || { echo "skipped: this compiler makes no special.constprop.0"; exit 77; }
hint() { # FUNCTION TEXT
  run "$DTRACE" -c "$work/absent" -n "pid\$target:a.out:$1:entry"
  want 1
  has err "absent of process "
  matches err "^hint: $2\$"
}
hint inlined 'it is in the source only: the compiler has put its code into the functions that call it'
hint special "the compiler has made 'special.constprop.0' of it, which may have other arguments"
run "$DTRACE" -q -c "$work/absent" -n 'pid$target:a.out:special.constprop.0:entry { @ = count(); }'
want 0
matches out '^ +3$'
# Without the program's DWARF nobody knows.
strip --strip-debug "$work/absent"
run "$DTRACE" -c "$work/absent" -n 'pid$target:a.out:inlined:entry'
want 1
if grep -q '^hint' "$work/err"; then fail "a hint"; cat "$work/err"; fi
done_testing
