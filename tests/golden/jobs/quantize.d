/* A power-of-two distribution of a value. */
syscall::read:entry
{
	@ = quantize(arg2);
}
