# @@host
. "$TESTS/lib.sh"
# A closed pipe and a full disk are said, and are not success.
( "$DTRACE" -q -n 'BEGIN { printf("first\n"); } tick-10ms { printf("again\n"); }' 2>"$work/err"; echo $? >"$work/status" ) | head -n 1 >/dev/null
status=$(cat "$work/status")
want 1
same err 'dtrace: failed to write to <stdout>: Broken pipe\n'
run sh -c "\"$DTRACE\" -q -n 'BEGIN { printf(\"first\\n\"); exit(0); }' >/dev/full"
want 1
same err 'dtrace: failed to write to <stdout>: No space left on device\n'
run sh -c "\"$DTRACE\" -l >/dev/full"
want 1
same err 'dtrace: failed to write to <stdout>: No space left on device\n'
run sh -c "\"$DTRACE\" -V >/dev/full"
want 1
same err 'dtrace: failed to write to <stdout>: No space left on device\n'
mkfifo "$work/fifo"
: <"$work/fifo" &
run sh -c "exec \"$DTRACE\" -l >\"$work/fifo\""
want 1
same err 'dtrace: failed to write to <stdout>: Broken pipe\n'
done_testing
