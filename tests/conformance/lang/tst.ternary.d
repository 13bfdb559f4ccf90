#pragma D option quiet

BEGIN
{
	x = 3;
	printf("%s %d %s\n", x > 2 ? "more" : "less", x == 3 ? 1 : 2, x ? "y" : "a longer string");
	printf("%d %d %d\n", x && 0, x || 0, x ^^ 1);
	printf("%d %d\n", !x, ~x);
	exit(0);
}
