# @@host
. "$TESTS/lib.sh"
# Interpreter files with clustered letters, arguments, standard input.
printf '#!%s -qs\nBEGIN { printf("%%s %%d\\n", $$1, $2); exit(0); }\n' "$DTRACE" >"$work/a.d"
chmod +x "$work/a.d"
run "$work/a.d" hello 5
want 0
same out 'hello 5\n\n'
printf '#!%s -qs -x strsize=8\nBEGIN { x = "0123456789"; trace(x); exit(0); }\n' "$DTRACE" >"$work/b.d"
chmod +x "$work/b.d"
run "$work/b.d"
want 0
same out '01234567\n'
printf '#!%s -qCs\n#define N 6\nBEGIN { trace(N * 7); exit(0); }\n' "$DTRACE" >"$work/c.d"
chmod +x "$work/c.d"
run "$work/c.d"
want 0
same out '42\n'
status=0
printf 'BEGIN { trace(1); exit(0); }' | "$DTRACE" -q -s - >"$work/out" 2>"$work/err" || status=$?
want 0
same out '1\n'
printf 'BEGIN { trace(2); exit(0); }' | "$DTRACE" -q -s /dev/fd/0 >"$work/out" 2>"$work/err" || status=$?
want 0
same out '2\n'
run "$DTRACE" -q -C -D N=5 -n '#define M 3
BEGIN { trace(N * M); exit(0); }'
want 0
same out '15\n'
run "$DTRACE" -C -D N=5 -q -s "$work/c.d"
want 0
done_testing
