/*
 * tick-N counts from the end of BEGIN, also where tables for user stacks are made before.
 *
 * @@options: -q
 */
BEGIN
{
	began = timestamp;
}

syscall:::entry
{
	@[ucaller] = count();
}

tick-50ms
{
	printf("%s\n", timestamp - began >= 50000000 ? "in time" : "too early");
	exit(0);
}

END
{
	trunc(@);
}
