# Two programs are executed and end: the tracepoints know as much, and their
# arguments are the kernel's own structures.
. "$TESTS/lib.sh"
run "$DTRACE" -q -c "sh -c '/bin/true; /bin/false; :'" -n '
sdt:sched::sched_process_exec
/ppid == $target/
{
	printf("exec %s %d\n", ((struct task_struct *)arg0)->comm, arg1 != 0);
}
rawtp:sched::sched_process_exit
/ppid == $target && ((struct task_struct *)arg0)->tgid == pid/
{
	printf("exit %s\n", execname);
}'
want 0
same out 'exec true 1\nexit true\nexec false 1\nexit false\n\n'
run "$DTRACE" -lv -n sdt:signal::signal_generate
want 0
has out 'args[0]: int'
has out 'args[2]: struct task_struct *'
done_testing
