#!/bin/sh
# A mutex that this thread holds: the one that execve() takes.
. "$TESTS/lib.sh"
probe=sdt:sched::sched_prepare_exec
run "$DTRACE" -l -n "$probe"
if [ "$status" != 0 ]; then
  echo "this kernel has no $probe"
  exit 77
fi
cat >"$work/x.d" <<'D'
#pragma D option quiet
sdt:sched::sched_prepare_exec
/ppid == $target/
{
	this->m = &curthread->signal->cred_guard_mutex;
	printf("%d %d\n", mutex_owned(this->m), mutex_owner(this->m) == curthread);
}
D
run "$DTRACE" -s "$work/x.d" -c "/bin/sh -c '/bin/true; :'"
want 0
same out "1 1\n\n"
done_testing
