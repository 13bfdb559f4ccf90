/* The main job: system calls by program. */
syscall:::entry
{
	@[execname] = count();
}
