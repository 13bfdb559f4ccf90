/* An enumerator is of its enumeration's type; it counts as an int. */
#pragma D option quiet

enum family { homer, bart, lisa = 7 };
enum { loose = 3 };

BEGIN
{
	print(bart);
	x = lisa;
	print(x);
	print(loose);
	printf("%d %d %d %d\n", bart, sizeof(bart), lisa + 1, x == lisa);
	y[bart] = 4;
	printf("%d %d\n", y[1], -bart);
	exit(0);
}
