#pragma D option quiet
/* @@host */

/* What differs from C: precision 0, and which conversions are signed. */
uint16_t half;
uint64_t most;

BEGIN
{
	printf("[%.0s] [%.s] [%.*s] [%6.0s] [%.2s]\n", "hello", "hello", 0, "hello", "ab", "hello");
	half = 0xffff;
	most = -1;
	printf("%i %d %hd %u\n", half, half, half, half);
	printf("%i %d %lld %ld\n", most, most, most, most);
}

/* A "*" takes a key. */
BEGIN
{
	@a[10, 1] = sum(1);
	printa("[%*d]", @a);
	@b[12, 3, 7] = sum(5);
	printa("[%*d %@*d]\n", @b);
	@c["text", 8] = count();
	printa("%s [%*@d]\n", @c);
}

BEGIN
{
	@d = llquantize(0, 10, 0, 6, 20);
	clear(@d);
	exit(0);
}
