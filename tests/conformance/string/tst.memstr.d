/* memstr() counts the NUL that it puts at the end. */
#pragma D option quiet

BEGIN
{
	p = (char *)alloca(8);
	p[0] = 'a'; p[2] = 'b'; p[5] = 'c';
	n = 7;
	printf("[%s] [%s] [%s]\n", memstr(p, '.', 8), memstr(p, ' ', n), memstr(p, '.', 1));
	printf("[%s] [%d]\n", memstr(curthread->comm, '-', 7), strlen(memstr(p, 0, 8)));
	exit(0);
}
