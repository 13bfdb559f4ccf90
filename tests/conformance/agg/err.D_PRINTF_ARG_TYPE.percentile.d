/* A count has no percentiles. */
BEGIN
{
	@a = count();
	printa("%@{p99}d\n", @a);
}
