/* A percentile is of an aggregation. */
BEGIN
{
	printf("%{p99}d\n", 1);
}
