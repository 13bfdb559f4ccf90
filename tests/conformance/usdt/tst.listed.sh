# @@timeout: 120
# The probes of programs that run are listed, and traced, without a provider too, where no other provider has such.
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/main.c" <<'END'
#include <dtrace/sdt.h>
#include <stdio.h>
__attribute__((noinline)) void serve_listed(int n) { DTRACE_PROBE1(listed, my__usdt__probe, n); DTRACE_PROBE1(listed, entry, n); }
int main(void) {
  for (int n = 0; getchar() != EOF; ++n) serve_listed(n);
  return 0;
}
END
cc -O1 -I"$TESTS/../include" -o "$work/listed_main" "$work/main.c" || { fail 'cc'; done_testing; }
mkfifo "$work/in"
"$work/listed_main" <"$work/in" &
program=$!
exec 9>"$work/in"
until_true 10 grep -q listed_main "/proc/$program/maps"
listed() { # WORDS...: exactly the one probe
  run "$DTRACE" -l "$@"
  want 0
  matches out "^5[0-9]* +listed$program +listed_main +serve_listed my-usdt-probe\$"
  [ "$(grep -c '' "$work/out")" = "${rows:-2}" ] || { fail "$*"; cat "$work/out"; }
}
listed -n :::my-usdt-probe
listed -n my-usdt-probe
listed -n 'my-us*probe'
listed -n 'serve_listed:my-usdt-probe'
rows=3
listed -m listed_main
listed -f serve_listed
listed -n 'listed_main:serve_listed:'
run "$DTRACE" -l
want 0
matches out "^5[0-9]* +listed$program +listed_main +serve_listed my-usdt-probe\$"
# What another provider has means that one only.
run "$DTRACE" -ln :::entry
want 0
grep -q "listed$program" "$work/out" && fail 'entry is a probe of syscall'
run "$DTRACE" -ln :::my-other-probe
want 1
has err 'No probe matches description'

rm "$work/out"
"$DTRACE" -qn 'BEGIN { printf("ready\n"); } :::my-usdt-probe { printf("%s %d\n", probeprov, arg0); exit(0); }' >"$work/out" 2>"$work/err" &
tracer=$!
until_true 20 grep -q ready "$work/out"
echo >&9
wait $tracer
status=$?
want 0
has out "listed$program 0"
exec 9>&-
wait $program

# With -Z, of a program that nobody runs yet: in the current directory, and in PATH.
mkdir "$work/bin" "$work/empty"
mv "$work/listed_main" "$work/bin/"
for where in "$work/bin" "$work/empty"; do
  for pattern in 'listed*:::my-usdt-probe' ':::my-usdt-probe' 'l*d*:::my-usdt-probe'; do
    rm "$work/out"
    (cd "$where" && exec env PATH="$work/bin:$PATH" "$DTRACE" -Zqn 'BEGIN { printf("ready\n"); }
      '"$pattern"' { printf("%s %d\n", execname, arg0); exit(0); }') >"$work/out" 2>"$work/err" &
    tracer=$!
    until_true 30 grep -q ready "$work/out"
    echo | "$work/bin/listed_main"
    wait $tracer
    status=$?
    want 0
    has out 'listed_main 0'
  done
done
done_testing
