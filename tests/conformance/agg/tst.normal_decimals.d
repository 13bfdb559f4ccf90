/* What normalize() and avg() divide has decimals where %@f asks for them. */
#pragma D option quiet

BEGIN
{
	@s["sum"] = sum(2500);
	@a["avg"] = avg(1);
	@a["avg"] = avg(2);
	@a["avg"] = avg(2);
	@d["dev"] = stddev(0);
	@d["dev"] = stddev(5001);
	printa("%s %@.2f %@{1000}.1f %@{1000}d\n", @s);
	normalize(@s, 1000);
	printa("%s %@d %@.1f %@8.3f %@{1000}.4f\n", @s);
	normalize(@s, -1000);
	printa("%s %@d %@.1f\n", @s);
	printa("%s %@d %@.6f %@f\n", @a);
	printa("%s %@d %@{1000}.1f\n", @d);
	@m["min"] = min(-9223372036854775807 - 1);
	normalize(@m, 1000000000);
	printa("%s %@.9f\n", @m);
	exit(0);
}
END
{
	trunc(@s); trunc(@a); trunc(@d); trunc(@m);
}
