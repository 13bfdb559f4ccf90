#pragma D option quiet

/* clear() zeroes values and keeps keys; trunc() removes; both in order. */
BEGIN
{
	@c["k"] = count(); @t["k"] = count(); @n["k"] = sum(100);
	clear(@c);
	trunc(@t);
	normalize(@n, 10);
	printa("%s %@d\n", @c);
	printa("%s %@d\n", @t);
	printa("%s %@d\n", @n);
	denormalize(@n);
	printa("%s %@d\n", @n);
	exit(0);
}
