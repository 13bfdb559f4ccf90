/* One aggregation, two functions, and other keys. */
syscall::read:entry
{
	@bytes[execname] = sum(arg2);
	@bytes[execname] = avg(arg2);
	@bytes[pid] = sum(arg2);
}
