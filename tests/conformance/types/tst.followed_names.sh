# Names of 16 bytes at the end of a chain of pointers: of every length, and where there is none.
. "$TESTS/lib.sh"

workload=$BUILD/tests/workloads/getppid
for name in a seven_7 eight__8 nine____9 fifteen_letters; do
	cp "$workload" "$work/$name"
	run "$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ {
		printf("%s %d", stringof(curthread->group_leader->comm),
		    stringof(curthread->group_leader->comm) == execname);
		exit(0);
	}' -c "$work/$name 1"
	want 0
	same out "$name 1\n"
done

run "$DTRACE" -q -n 'BEGIN { printf("%s", stringof(curthread->pi_top_task->comm)); }
	ERROR { printf("%d %d", arg4 == 1, arg5 < 8192); exit(0); }'
same out '1 1\n'
done_testing
