# The number and the receiver of a signal, seen by the one who sends it.
. "$TESTS/lib.sh"
run "$DTRACE" -q -c "sh -c 'kill -CONT \$\$; kill -WINCH \$\$; :'" -n '
sdt:signal::signal_generate
/pid == $target && ((struct task_struct *)arg2)->tgid == $target/
{
	printf("%d\n", (int)arg0);
}'
want 0
same out '18\n28\n\n'
# Every tracepoint of a busy subsystem at once; what does not fire is no error.
run "$DTRACE" -q -c /bin/true -n 'sdt:sched::, rawtp:sched:: { @[probeprov] = count(); }'
want 0
matches out '^  sdt +[0-9]+$'
matches out '^  rawtp +[0-9]+$'
done_testing
