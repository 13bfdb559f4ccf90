#pragma D option quiet

/* @@options: -c "$BUILD/tests/workloads/badwrite" */
syscall::write:entry /pid == $target && arg0 == 4242/
{
	s = copyinstr(arg1);
	this->t = stringof(copyin(arg1, 8));
	printf("%s|%s|%s|%d\n", s, copyinstr(arg1, 4), this->t, s == this->t);
	tracemem(copyin(arg1, 8), 8);
}
