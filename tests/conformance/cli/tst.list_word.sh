# dtrace -l WORD: the probes of which a field is the word, or contains it; with a colon, a description.
. "$TESTS/lib.sh"
run "$DTRACE" -l off-cpu
want 0
matches out ' sched +vmlinux +off-cpu$'
[ "$(grep -c '' "$work/out")" = 2 ] || { fail "one probe was wanted"; cat "$work/out"; }
run "$DTRACE" -l getppid
want 0
matches out ' syscall +vmlinux +getppid entry$'
matches out ' syscall +vmlinux +getppid return$'
run "$DTRACE" -l sched
want 0
matches out ' sched +vmlinux +on-cpu$'
run "$DTRACE" -l accept-ref
want 0
matches out ' tcp +vmlinux +accept-refused$'
[ "$(cut -c1-6 "$work/out" | sort | uniq -d | grep -c .)" = 0 ] || fail "a probe is listed twice"
run "$DTRACE" -l no-such-word
want 1
has err 'failed to match no-such-word'
run "$DTRACE" -l off-cpu:
want 1

# What the messages about arguments say.
run "$DTRACE" -qn 'BEGIN { printrow(pid, "PID"); }'
want 1
has err 'printrow("PID", pid)'
run "$DTRACE" -qn 'BEGIN { @a = count(); @b = count(); trunc(@a, @b); }'
want 1
has err 'trunc(@a, @b, 10)'
done_testing
