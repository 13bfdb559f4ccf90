. "$TESTS/lib.sh"
# @@host
# Several -c and -p: tracing ends with the last of them, each end is said, $target is the first.
run "$DTRACE" -c 'sh -c "exit 4"' -c 'sleep 2' -c 'sh -c "kill -9 $$"' -n 'END { printf("%d\n", $target); }'
want 0
matches err '^dtrace: pid [0-9]+ exited with status 4$'
matches err '^dtrace: pid [0-9]+ terminated by SIGKILL$'
matches err '^dtrace: pid [0-9]+ has exited$'
tail -n 1 "$work/err" | grep -q 'has exited$' || fail "the one that sleeps does not end last"
first=$(sed -n 's/^dtrace: pid \([0-9]*\) exited with status 4$/\1/p' "$work/err")
has out "$first"
# A cat waits until its pipe has a writer, and ends with that one.
mkfifo "$work/one" "$work/other"
cat "$work/one" &
one=$!
cat "$work/other" &
other=$!
rm "$work/err"
(until_true 60 eval '[ "$(grep -cs "has exited$" "$work/err")" = 2 ]'; : >"$work/one") &
run "$DTRACE" -p $one -p $other -c "sh -c ': >$work/other'" -n 'END { printf("command %d\n", $target); }'
want 0
[ "$(grep -c 'has exited$' "$work/err")" = 3 ] || { fail "not three ends"; cat "$work/err"; }
command=$(sed -n 's/.*command \([0-9]*\)$/\1/p' "$work/out")
[ "$command" != "$one" ] && [ "$command" != "$other" ] || fail "\$target is not the command"
tail -n 1 "$work/err" | grep -q "pid $one has exited" || fail "the first of -p does not end last"
# One that is not there is said before anything is traced, and the command is not left.
run "$DTRACE" -c "sh -c 'echo \$\$ >$work/pid; exec sleep 300'" -p 4194999 -n BEGIN
want 1
first err '^dtrace: failed to grab pid 4194999: No such process$'
[ ! -e "$work/pid" ] || fail "the command has run"
done_testing
