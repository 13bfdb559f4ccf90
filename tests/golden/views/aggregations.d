/* What the functions, the keys and the ticks of aggregations say about their pictures. */
profile-97
{
	@on_cpu[execname, ustack()] = count();
	@levels[cpu] = avg(cpu);
}

syscall::read:entry
{
	@reads = count();
	@bytes = sum(arg2);
	@sizes[execname] = quantize(arg2);
	@all = lquantize(arg2, 0, 100, 10);
	@table[execname, pid] = count();
	@worst[ustack()] = max(arg2);
}

tick-1s
{
	printa("%@d %@d\n", @reads, @bytes);
	clear(@reads);
	clear(@bytes);
}

tick-5s,
tick-10s
{
	printa(@sizes);
}

END
{
	printa(@all);
}
