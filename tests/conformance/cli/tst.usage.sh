# @@host
. "$TESTS/lib.sh"
run "$DTRACE"
want 2
first err '^Usage: dtrace '
run "$DTRACE" -y
want 2
first err "^dtrace: invalid option -- 'y'$"
run "$DTRACE" -n
want 2
first err "^dtrace: option requires an argument -- 'n'$"
run "$DTRACE" -lV
want 2
same err 'dtrace: only one of the [-AGhlV] options can be specified at a time\n'
run "$DTRACE" -V
want 0
same out 'dtrace: Sun D 1.14\n'
run "$DTRACE" --version
want 0
matches out '^dtrace [0-9]+\.[0-9]+\.[0-9]+ \(D 1\.14, Linux [^ ]+, x86-64\)$'
run "$DTRACE" --help
want 0
has out examples
# Every letter is explained, and no line is too long for a wide terminal.
for letter in n s P m f i c p Z w l V q o F B x v b C D U I L A a h G e S; do
  grep -qE -- "-$letter\\b" "$work/out" || fail "-$letter is not in --help"
done
awk 'length > 120 { print; bad = 1 } END { exit bad }' "$work/out" || fail "long lines"
run "$DTRACE" -q
want 1
same err 'dtrace: no probes specified\n'
done_testing
