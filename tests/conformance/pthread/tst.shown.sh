# The order in which a thread's probes fire, how they are listed, a process that runs already, and what is refused and why.
# @@timeout: 60
. "$TESTS/lib.sh"
threads=$BUILD/tests/workloads/pthreads
# What one breakpoint is for and the other; of a wait that ends, its end comes after it.
run "$DTRACE" -q -c "$threads" -n 'pthread$target::sem_timedwait: { printf("%s %s\n", probefunc, probename); }
pthread$target::start_thread: { @balance = sum(probename == "start" ? 1 : -1); }
pthread$target:::start { self->thread = arg0; }
pthread$target::start_thread:exit { @strange = sum(self->thread != arg0); }
pthread$target:::join-start { self->joins = arg0; }
pthread$target:::join-done { @others = sum(self->joins != arg0); }
pthread$target:::setname { printf("%s=%d\n", copyinstr(arg1), args[2]); }
END { printa("balance %@d\n", @balance); printa("strange %@d\n", @strange); printa("others %@d\n", @others); }'
want 0
grep sem_timedwait "$work/out" | grep -v want >"$work/timed"
same timed 'sem_timedwait sem-wait\nsem_timedwait sem-error\nsem_timedwait sem-wait\nsem_timedwait sem-acquired\n'
has out 'known=0'
has out 'a name of more than 15=34'
has out 'balance 0'
has out 'strange 0'
has out 'others 0'
run "$DTRACE" -lv -c "$threads" -n 'pthread$target::pthread_setname_np:setname'
want 0
matches out 'args\[0\]: unsigned long'
matches out 'args\[1\]: userland const char \*'
matches out 'args\[2\]: int'
# What threads leave behind that are cancelled is forgotten: more of it than there is room for.
run "$DTRACE" -x dynvarsize=4k -q -c "$threads" -n 'pthread$target:::cond-woken,pthread$target:::join-done,
pthread$target:::sem-acquired { @[probename] = count(); }'
want 0
same err ''
run "$DTRACE" -n 'pthread$target::pthread_creat:create' -c "$threads"
want 1
has err "did you mean 'pthread_create'?"
run "$DTRACE" -n 'pthread$target::pthread_create:join-done' -c "$threads"
want 1
has err 'the function is one that the program calls, and does what the probe tells'
run "$DTRACE" -x follow -n 'pthread$target:::create' -c "$threads"
want 1
has err 'the probes of pthread do not follow children'
run "$DTRACE" -n 'pthread$target:::exits' -c "$threads"
want 1
has err "'exits' is no probe of threads"
has err "did you mean 'exit'?"
run "$DTRACE" -n 'pthread2:::create'
want 1
has err 'pthread2'
# A process that runs already.
mkfifo "$work/start"
"$threads" wait <"$work/start" >"$work/theirs" &
pid=$!
exec 3>"$work/start"
until_runs $pid "$threads wait"
"$DTRACE" -q -p $pid -n 'BEGIN { printf("goes\n"); } pthread$target:::barrier-done { @[args[1]] = count(); }' >"$work/ours" &
tracer=$!
until_true 20 grep -q goes "$work/ours"
echo >&3
wait $tracer || fail 'its end is an error'
matches ours '^ +0 +600$'
matches ours '^ +1 +300$'
wait $pid || fail 'the program is not as it was'
exit $bad
