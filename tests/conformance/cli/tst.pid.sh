. "$TESTS/lib.sh"
run "$DTRACE" -p 4194999 -n BEGIN
want 1
matches err '^dtrace: failed to grab pid 4194999: No such process$'
run "$DTRACE" -p abc -n BEGIN
want 1
same err 'dtrace: invalid pid: abc\n'
sleep 0.7 &
sleeper=$!
run "$DTRACE" -p $sleeper -n 'END { printf("%d\n", $target); }'
want 0
has out "$sleeper"
matches err "^dtrace: pid $sleeper has exited\$"
done_testing
