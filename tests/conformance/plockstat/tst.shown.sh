# Which function a probe of plockstat is of, the order of what one return tells, and what is refused and why.
# @@timeout: 60
. "$TESTS/lib.sh"
locks=$BUILD/tests/workloads/locks
# Waiting has an end before the lock is had; who waits in vain has an error.
run "$DTRACE" -q -c "$locks" -n 'plockstat$target:libc:pthread_mutex_timedlock:
{ printf("%s %s\n", probename, probefunc); }
plockstat$target:::mutex-block { self->lock = arg0; }
plockstat$target:::mutex-blocked /self->lock == arg0/ { self->lock = 0; self->was = arg0; }
plockstat$target:::mutex-acquire /self->was == arg0/ { @had = count(); self->was = 0; }
plockstat$target:::mutex-error /self->was == arg0/ { @not = count(); self->was = 0; }
END { printa("had %@d\n", @had); printa("not %@d\n", @not); }'
want 0
grep mutex_timedlock "$work/out" >"$work/timed"
same timed 'mutex-block pthread_mutex_timedlock\nmutex-blocked pthread_mutex_timedlock\nmutex-error pthread_mutex_timedlock\n'
has out 'had 12'
has out 'not 1'
run "$DTRACE" -lv -c "$locks" -n 'plockstat$target::pthread_mutex_lock:mutex-acquire'
want 0
matches out 'args\[2\]: int'
for probe in mutex-spin mutex-spun; do
  run "$DTRACE" -n "plockstat\$target:::$probe" -c "$locks"
  want 1
  has err 'glibc spins for adaptive mutexes only, and nothing tells of it'
done
run "$DTRACE" -n 'plockstat$target::pthread_mutex_lok:mutex-acquire' -c "$locks"
want 1
has err "did you mean 'pthread_mutex_lock'?"
run "$DTRACE" -n 'plockstat$target::pthread_mutex_lock:rw-acquire' -c "$locks"
want 1
has err 'the function is one that the program calls, and does what the probe tells'
# Children are not followed, and not left out without a word.
run "$DTRACE" -x follow -n 'plockstat$target:::mutex-acquire' -c "$locks"
want 1
has err 'the probes of plockstat do not follow children'
run "$DTRACE" -n 'plockstat$target:::mutex-aquire' -c "$locks"
want 1
has err "'mutex-aquire' is no probe of locks"
has err "did you mean 'mutex-acquire'?"
run "$DTRACE" -n 'plockstat2:::mutex-acquire'
want 1
has err 'plockstat2'
# A process that runs already.
mkfifo "$work/start"
"$locks" wait <"$work/start" >"$work/theirs" &
pid=$!
exec 3>"$work/start"
until_runs $pid "$locks wait"
"$DTRACE" -q -p $pid -n 'BEGIN { printf("goes\n"); } plockstat$target:::rw-acquire { @[args[1]] = count(); }' >"$work/ours" &
tracer=$!
until_true 20 grep -q goes "$work/ours"
echo >&3
wait $tracer || fail 'its end is an error'
matches ours '^ +0 +15$'
matches ours '^ +1 +6$'
wait $pid || fail 'the program is not as it was'
exit $bad
