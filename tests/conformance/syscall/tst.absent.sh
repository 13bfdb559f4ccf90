# User memory that is not resident is a fault at its address.
. "$TESTS/lib.sh"

absent=$BUILD/tests/workloads/absent
run_undisturbed "$DTRACE" -q -c "$absent $work/file" -n '
syscall::getppid:entry /pid == $target/ { on = 1; }
syscall::openat:entry /pid == $target && on/ { printf("%s\n", copyinstr(arg1)); }
ERROR { printf("error %d %s\n", arg4, arg5 == 8 ? "8" : "absent"); }'
want 0
cp "$work/out" "$work/strings"
run_undisturbed "$DTRACE" -q -c "$absent $work/file" -n '
syscall::getppid:entry /pid == $target/ { on = 1; }
syscall::openat:entry /pid == $target && on/ { this->p = (char *)copyin(arg1, 10); printf("%c %c\n", this->p[1], this->p[8]); }
ERROR { printf("error %d %s\n", arg4, arg5 == 8 ? "8" : "absent"); }'
want 0
cp "$work/out" "$work/bytes"
same strings 'error 1 absent\nerror 1 absent\nerror 1 8\n\n'
same bytes 'error 1 absent\nerror 1 absent\nerror 1 8\n\n'
done_testing
