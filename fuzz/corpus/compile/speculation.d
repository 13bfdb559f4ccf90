syscall::newfstatat:entry, syscall::faccessat2:entry, syscall::access:entry
/pid == $target && copyinstr(arg1) == "/nonexistent"/
{
	self->id = speculation();
	speculate(self->id);
	printf("%s asked for %s, ", execname, copyinstr(arg1));
}

syscall::newfstatat:return, syscall::faccessat2:return, syscall::access:return
/self->id/
{
	speculate(self->id);
	printf("error %d\n", errno);
}

syscall::newfstatat:return, syscall::faccessat2:return, syscall::access:return
/self->id && errno/
{
	commit(self->id);
	self->id = 0;
}
