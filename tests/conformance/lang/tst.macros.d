#pragma D option quiet

/* @@args: 42 word "two words" */
BEGIN
{
	printf("%d %s %s\n", $1, $$2, $$3);
	printf("%d %d\n", $pid > 1, $uid);
	exit(0);
}
