#pragma D option quiet

BEGIN
{
	@["a"] = sum(1); @["b"] = sum(2); @["c"] = sum(3); @["d"] = sum(4);
	@x["a"] = sum(1); @x["b"] = sum(2); @x["c"] = sum(3); @x["d"] = sum(4);
	trunc(@, 2);
	trunc(@x, -2);
	printa("%s %@d\n", @);
	printa("%s %@d\n", @x);
	exit(0);
}
