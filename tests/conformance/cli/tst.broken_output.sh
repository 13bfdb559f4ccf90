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
# A file that may not grow: an error of write(2), not the signal that kills.
run sh -c "ulimit -f 8; exec \"$DTRACE\" -q -o '$work/none' -n 'BEGIN { printf(\"%100000d\", 1); exit(0); }'"
want 1
same err "dtrace: failed to write to $work/none: File too large\n"
run sh -c "ulimit -f 8; \"$DTRACE\" -n 'END { trace(1); }' -c 'dd if=/dev/zero of=$work/big count=100'"
want 0
has err 'terminated by SIGXFSZ'
done_testing
