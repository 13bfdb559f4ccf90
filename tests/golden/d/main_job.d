/* The main job: one keyed aggregation over every system call. */
syscall:::entry
{
	@[execname] = count();
}
