/* trunc() of several aggregations keeps the same keys in all; what is missing in one counts as 0. */
#pragma D option quiet

BEGIN
{
	@n["a"] = sum(1); @n["b"] = sum(2); @n["c"] = sum(3); @n["d"] = sum(4);
	@bytes["a"] = sum(900); @bytes["b"] = sum(100); @bytes["e"] = sum(500);
	@time["b"] = sum(7); @time["e"] = sum(8);
	trunc(@bytes, @n, @time, 3);
	printa("%s %@d %@d %@d\n", @n, @bytes, @time);
	trunc(@n, @bytes, -2);
	printf("smallest\n");
	printa("%s %@d %@d %@d\n", @n, @bytes, @time);
	trunc(@n, @n, @bytes, 1);
	printf("twice\n");
	printa("%s %@d %@d\n", @n, @bytes);
	trunc(@n, @bytes, @time, 0);
	printf("none\n");
	printa("%s %@d %@d %@d\n", @n, @bytes, @time);
}

/* aggsortpos says which of them decides; aggsortrev and aggsortkey do not matter. */
BEGIN
{
	@x[probename, 1] = count();
	@x["two", 2] = count();
	@x["two", 2] = count();
	@x["three", 3] = count();
	@y["BEGIN", 1] = max(40);
	@y["two", 2] = max(30);
	@y["three", 3] = max(20);
	setopt("aggsortpos", "1");
	setopt("aggsortrev");
	setopt("aggsortkey");
	trunc(@x, @y, 2);
	printf("by the second\n");
	printa("%s %d %@d %@d\n", @x, @y);
	exit(0);
}
