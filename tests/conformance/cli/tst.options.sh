. "$TESTS/lib.sh"
run "$DTRACE" -x wombats -n BEGIN
want 1
same err 'dtrace: failed to set -x wombats: Invalid option name\n'
run "$DTRACE" -x bufsiz=4m -n BEGIN
want 1
has err "did you mean 'bufsize'?"
run "$DTRACE" -x bufsize=lots -n BEGIN
want 1
same err 'dtrace: failed to set -x bufsize=lots: Invalid value for specified option\n'
run "$DTRACE" -b 1k -x strsize=16 -q -n 'BEGIN { x = "0123456789abcdefghij"; trace(x); exit(0); }'
want 0
same out '0123456789abcde\n'
printf '#pragma D option quiet\n#pragma D option strsize=16\nBEGIN { x = "0123456789abcdefghij"; trace(x); exit(0); }\n' >"$work/x.d"
run "$DTRACE" -s "$work/x.d"
want 0
same out '0123456789abcde\n'
done_testing
