#pragma D option quiet

BEGIN
{
	x = 2;
	if (x == 1) {
		y = 10;
	} else if (x == 2)
		y = 20;
	else
		y = 30;
	printf("%d\n", y);
	exit(0)
}
