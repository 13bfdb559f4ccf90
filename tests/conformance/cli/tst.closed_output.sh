# @@host
. "$TESTS/lib.sh"
# Output that goes nowhere is an error that is said; closed descriptors are nobody else's.
program='BEGIN { printf("first\n"); exit(0); }'
run sh -c "exec \"$DTRACE\" -q -n '$program' >&-"
want 1
same err 'dtrace: failed to write to <stdout>: Bad file descriptor\n'
run sh -c "exec \"$DTRACE\" -l -n BEGIN >&-"
want 1
same err 'dtrace: failed to write to <stdout>: Bad file descriptor\n'
run sh -c "exec \"$DTRACE\" -e -xdump=ast -n BEGIN >&-"
want 1
has err 'dtrace: failed to write to <stdout>: Bad file descriptor'
run sh -c "exec \"$DTRACE\" -w -q -n 'BEGIN { freopen(\"/dev/full\"); printf(\"first\\n\"); exit(0); }'"
want 1
same err 'dtrace: failed to write to /dev/full: No space left on device\n'
run sh -c "exec \"$DTRACE\" -w -q -n 'BEGIN { freopen(\"/dev/full\"); printf(\"first\\n\"); freopen(\"\"); exit(0); }'"
want 1
same err 'dtrace: failed to write to /dev/full: No space left on device\n'
run sh -c "exec \"$DTRACE\" -w -q -n 'BEGIN { freopen(\"\"); printf(\"first\\n\"); exit(0); }' >&-"
want 1
same err 'dtrace: failed to write to <stdout>: Bad file descriptor\n'
run sh -c "exec \"$DTRACE\" -o '$work/file' -n '$program' <&- >&- 2>&-"
want 0
grep -q 'matched' "$work/file" && fail "messages in the file of -o: $(cat "$work/file")"
grep -q 'first' "$work/file" || fail "no output in the file of -o: $(cat "$work/file")"
done_testing
