/* @@host */
/* Several aggregations, joined on their keys; the sort options by setopt(). */
#pragma D option quiet

BEGIN
{
	@a["x", 1] = sum(3);
	@a["y", 2] = sum(1);
	@b["x", 1] = sum(-5);
	@b["z", 0] = sum(7);
	@c["y", 2] = avg(10);
	printa(@a, @b, @c);
	printa("%s.%d: %@3d %@x [%-5@d]\n", @a, @b, @c);
	setopt("aggsortpos", "1");
}

BEGIN
{
	printa("by b: %s.%d %@d %@d\n", @a, @b);
	setopt("aggsortrev");
}

BEGIN
{
	printa("down: %s.%d %@d %@d\n", @a, @b);
	setopt("aggsortrev", "no");
	setopt("aggsortkey");
}

BEGIN
{
	printa("by key: %s.%d %@d %@d\n", @a, @b);
	setopt("aggsortkeypos", "1");
}

BEGIN
{
	printa("by key 1: %s.%d %@d %@d\n", @a, @b);
	exit(0);
}
