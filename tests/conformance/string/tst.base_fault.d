/* A base that cannot be is a fault when it is known at run time only. */
#pragma D option quiet

BEGIN
{
	b = 37;
}

BEGIN
{
	printf("%s\n", lltostr(1, b));
}

BEGIN
{
	printf("%d\n", strtoll("1", b - 36));
}

ERROR
{
	printf("fault %d\n", arg4);
	faults++;
}

BEGIN
/faults == 2/
{
	exit(0);
}
