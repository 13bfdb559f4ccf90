#pragma D option quiet

BEGIN
{
	@c = count(); @c = count(); @c = count();
	@s = sum(-5); @s = sum(3);
	@a = avg(1); @a = avg(2); @a = avg(6);
	@n = min(7); @n = min(-7);
	@x = max(7); @x = max(-7);
	@d = stddev(2); @d = stddev(4); @d = stddev(4); @d = stddev(4); @d = stddev(5); @d = stddev(5); @d = stddev(7); @d = stddev(9);
	exit(0);
}
