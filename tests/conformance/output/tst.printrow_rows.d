/* Without -q, a clause that prints rows alone has no columns of the CPU and the probe. */
/* @@host */
dtrace:::BEGIN
{
	printrow("A", 1, "B", "x");
}

BEGIN
{
	printrow("A", 22, "B", "yy");
	exit(0);
}
