# self-> at a tracepoint under the run queue's lock: safe since 6.4, refused before.
. "$TESTS/lib.sh"
run "$DTRACE" -q -c /bin/true -n 'sdt:sched::sched_switch { self->n++; @ = max(self->n); } END { printa("most %@d\n", @); }'
if [ "$(printf '%s\n6.4\n' "$(uname -r)" | sort -V | head -n 1)" = 6.4 ]; then
	want 0
	matches out '^most [1-9][0-9]*$'
else
	want 1
	has err 'sdt:sched_switch: self-> variables and vtimestamp cannot be used beside this probe before Linux 6.4'
fi
done_testing
