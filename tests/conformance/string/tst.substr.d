#pragma D option quiet

BEGIN
{
	s = "abcdef";
	n = -9;
	printf("[%s] [%s] [%s]\n", substr(s, 2), substr(s, 2, 3), substr(s, 0, 99));
	printf("[%s] [%s] [%s]\n", substr(s, -2), substr(s, -2, 1), substr(s, 1, -2));
	printf("[%s] [%s] [%s]\n", substr(s, n), substr(s, n, 5), substr(s, n, 2));
	printf("[%s] [%s] [%s]\n", substr(s, 6), substr(s, 5, 0), substr("", 0));
	exit(0);
}
