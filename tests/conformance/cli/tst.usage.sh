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
run "$DTRACE" --help
want 0
first out '^Usage: dtrace '
run "$DTRACE" -q
want 1
same err 'dtrace: no probes specified\n'
done_testing
