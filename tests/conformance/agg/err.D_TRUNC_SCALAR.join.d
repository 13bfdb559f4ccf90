/* How many keys of a join stay has to be said. */
BEGIN
{
	@a[1] = count();
	@b[1] = count();
	@c[1] = count();
	trunc(@a, @b, @c);
}
