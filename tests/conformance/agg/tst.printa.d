/* @@host */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(1); @a["y"] = sum(2);
	@b["x"] = sum(10); @b["z"] = sum(30);
	printa("%s %@d %@d\n", @a, @b);
	printa("%-5s|%@5d|\n", @a);
	exit(0);
}
