# Several names of one function are one probe, under the name that people say; a pattern may stand for "pid".
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/strong.c" <<'E2'
#define KEPT __attribute__((noinline))
KEPT int go(int x) { __asm__ volatile("" : : "r"(x) : "memory"); return x + 1; }
int _go(int) __attribute__((alias("go")));
int main(void) { return go(1) + _go(2) == 5 ? 0 : 1; }
E2
sed 's/KEPT int go/KEPT int _go/; s/^int _go(int)/int go(int)/; s/alias("go")/alias("_go"), weak/' "$work/strong.c" >"$work/weak.c"
for kind in strong weak; do
  cc -g -O1 -o "$work/$kind" "$work/$kind.c" || { fail "cannot build $kind"; continue; }
  # Each firing is that of both clauses; its types are those of the function, whichever name they have.
  run "$DTRACE" -q -c "$work/$kind" -n 'pid$target:a.out:go:entry { printf("1 %s %d\n", probefunc, args[0]); }
    pid$target:a.out:_go:entry { printf("2 %s %d\n", probefunc, args[0]); }'
  want 0
  same out '1 go 1\n2 go 1\n1 go 2\n2 go 2\n\n'
  run "$DTRACE" -l -c "$work/$kind" -n 'pid$target:a.out:_go:entry,pid$target:a.out:go:entry,pid$target:a.out:*go:entry'
  want 0
  [ "$(grep ' go entry$' "$work/out" | sort -u | grep -c '')" = 1 ] || { fail "$kind: not one probe"; cat "$work/out"; }
  for pattern in 'p*d' 'p[i]d' '?id' 'pi*'; do
    run "$DTRACE" -q -c "$work/$kind" -n "$pattern"'$target:a.out:go:entry { printf("%s %s\n", probefunc, probeprov == "pid$target" ? "" : "its"); }'
    want 0
    same out 'go its\ngo its\n\n'
  done
done
# A symbol without a size does not keep a pattern from the others.
run "$DTRACE" -l -c "$work/strong" -n 'p*d$target:a.out:*:entry'
want 0
has out ' main entry'
done_testing
