/* How long reads take: a thread-local variable from entry to return. */
syscall::read:entry
{
	self->ts = timestamp;
}

syscall::read:return
/self->ts/
{
	@["ns"] = quantize(timestamp - self->ts);
	self->ts = 0;
}
