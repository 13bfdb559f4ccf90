/* A key of two parts. */
syscall:::entry
{
	@[pid, execname] = sum(1);
}
