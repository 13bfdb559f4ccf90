# Without -c and -p there is no process, and $target is 0; in a description it must be one.
. "$TESTS/lib.sh"
run "$DTRACE" -qn 'BEGIN { printf("%d [%s]", $target, $$target); exit(0); } syscall:::entry /pid == $target/ { exit(1); }'
want 0
same out '0 [0]\n'
run "$DTRACE" -n 'pid$target:::entry'
want 1
has err 'give a process to trace with -p PID or -c COMMAND'
done_testing
