/* What records say about their pictures. */
BEGIN
{
	printf("of no interest\n");
}

profile-49
{
	ustack();
}

syscall::read:entry
{
	self->begin = timestamp;
	printf("%d", arg0);
}

syscall::read:return
{
	trace(arg1);
}

syscall::openat:return
/self->begin/
{
	printf("%s %d", execname, (timestamp - self->begin) / 1000);
}

syscall::write:entry
{
	printf("%d %s", pid, execname);
}

syscall::write:return
{
	printf("%d", pid);
}

syscall::close:entry
{
	printf("%d %d", pid, timestamp);
}
