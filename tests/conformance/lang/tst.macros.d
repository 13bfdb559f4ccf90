/* @@host */
#pragma D option quiet

/* @@args: 42 word "two words" /etc/passwd "\"quoted name\"" */
BEGIN
{
	printf("%d %s %s\n", $1, $$2, $$3);
	printf("%d %d\n", $pid > 1, $uid);
	printf("%s %s\n", $4, $5);
	exit(0);
}
