/* Every aggregating function, printed in all forms, normalized, truncated and cleared in one firing.
 * @@host
 */
#pragma D option quiet
BEGIN
{
	@c["a"] = count(); @c["b"] = count(); @c["b"] = count();
	@s["a"] = sum(10); @s["b"] = sum(-5);
	@m["a"] = min(7); @m["a"] = min(3);
	@x["a"] = max(7); @x["a"] = max(9); @x["b"] = max(-1);
	@v["a"] = avg(4); @v["a"] = avg(8); @v["b"] = avg(5);
	@d["a"] = stddev(4); @d["a"] = stddev(8);
	printa(@c);
	printa("%s=%@d\n", @s);
	printa("%-6s %@6d %@6d %@6d %@6d\n", @c, @s, @x, @v);
	printa("%@d\n", @m);
	normalize(@s, 5);
	printa("n %s %@d\n", @s);
	denormalize(@s);
	printa("d %s %@d\n", @s);
	trunc(@c, 1);
	printa("t %s %@d\n", @c);
	clear(@v);
	printa("cl %s %@d\n", @v);
	trunc(@x);
	printa("none %s %@d\n", @x);
	@c["z"] = count();
	printa("again %s %@d\n", @c);
	exit(0);
}
END
{
	trunc(@c); trunc(@s); trunc(@m); trunc(@v); trunc(@d);
}
