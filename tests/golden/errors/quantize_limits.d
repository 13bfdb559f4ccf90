/* Limits of distributions are constants in order. */
syscall::read:entry
{
	@a = lquantize(arg2, 100, 0, 10);
	@b = lquantize(arg2, 0, pid);
	@c = llquantize(arg2, 10, 0, 6, 7);
}
