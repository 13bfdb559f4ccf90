#pragma D option quiet

/* @@options: -c "$BUILD/tests/workloads/badwrite" */
/* copyin() copies: a size of run time, a value to keep and to change. */
syscall::write:entry /pid == $target && arg0 == 4242/
{
	this->p = (char *)copyin(arg1, arg2);
	this->q = (char *)alloca(16);
	copyinto(arg1 + 4, arg2 - 4, this->q);
	this->p[3] = '-';
}

syscall::write:entry /pid == $target && arg0 == 4242/
{
	printf("%s %s %s %c\n", stringof(this->p), stringof(this->q), copyinstr(arg1, arg2 - 5), this->q[1]);
	tracemem(copyin(arg1, 9), 9);
	tracemem(this->p, 9, 4);
	printf("%d %d\n", *(char *)copyin(arg1, 1), ((char *)copyin(arg1, 9))[8]);
}
