/* A probe's name with a slip. */
syscall::opent:entry
{
	@[execname] = count();
}
