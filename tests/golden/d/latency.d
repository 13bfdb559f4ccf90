/* Thread-local state between two clauses, a predicate, a quantize. */
syscall::read:entry
/execname != "dtrace" && pid > 1/
{
	self->ts = timestamp;
	self->fd = (int)arg0;
}

syscall::read:return
/self->ts/
{
	@time[self->fd] = quantize((timestamp - self->ts) / 1000);
	self->ts = 0;
	self->fd = 0;
}
