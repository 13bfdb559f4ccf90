/* Character constants are signed and of the smallest of int and long. */
#pragma D option quiet

BEGIN
{
	x = '\377';
	printf("%d %d %d %d\n", x, x < 0, '\377', sizeof ('\377'));
	printf("%d %d %d %d\n", 'a', '\n', 'ab', sizeof ('a'));
	printf("%d %d\n", 'abcdefgh' > 0, sizeof ('abcdefgh'));
	exit(0);
}
