/* What is truncated together has the same keys. */
BEGIN
{
	@a[1] = count();
	@b["x"] = count();
	trunc(@a, @b, 5);
}
