/* Aggregations are not read by the program. */
syscall:::entry
{
	@calls = count();
}

tick-1s
/@calls > 10/
{
	trace(@calls);
}
