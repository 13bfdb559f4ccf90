#pragma D option quiet

BEGIN
{
	a[1, "one"] = 11;
	a[2, "two"] = 22;
	a[1, "one"] += 5;
	a[3, "three"]++;
	printf("%d %d %d %d\n", a[1, "one"], a[2, "two"], a[3, "three"], a[4, "four"]);
	a[2, "two"] = 0;
	printf("%d\n", a[2, "two"]);
	names[7] = "seven";
	printf("[%s] [%s]\n", names[7], names[8]);
	exit(0);
}
