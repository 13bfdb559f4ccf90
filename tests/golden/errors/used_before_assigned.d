/* A variable has its type from the first assignment, which stands below. */
syscall::read:return
/self->begin/
{
	@ = quantize(timestamp - self->begin);
}

syscall::read:entry
{
	self->begin = timestamp;
}
