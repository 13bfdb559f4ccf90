# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -s /nonexistent.d
want 1
same err 'dtrace: failed to open /nonexistent.d: No such file or directory\n'
run "$DTRACE" -s /tmp
want 1
same err 'dtrace: failed to open /tmp: Is a directory\n'
head -c 4096 /bin/sh >"$work/binary.d"
run "$DTRACE" -s "$work/binary.d"
want 1
first err '^dtrace: failed to compile script .*binary.d: line 1: '
: >"$work/empty.d"
run "$DTRACE" -s "$work/empty.d"
want 1
has err 'D_EMPTY'
awk 'BEGIN { printf "BEGIN { x = "; for (i = 0; i < 100000; i++) printf "("; print "1; }" }' >"$work/deep.d"
run "$DTRACE" -s "$work/deep.d"
want 1
first err '^dtrace: failed to compile script .*deep.d: line 1: '
awk 'BEGIN { for (i = 0; i < 250000; i++) print "/* a comment that makes a long script */"; print "BEGIN { exit(0); }" }' >"$work/long.d"
[ "$(wc -c <"$work/long.d")" -gt 10000000 ] || fail "the long script is too short"
run "$DTRACE" -q -s "$work/long.d"
want 0
done_testing
