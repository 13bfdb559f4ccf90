/* @@host */
#pragma D option quiet

BEGIN
{
	printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%x] [%X] [%#x] [%o] [%c] [%%]\n", 42, 42, 42, 42, 42, 255, 255, 255, 8, 'A');
	printf("[%*d] [%.3d]\n", 6, 7, 5);
	printf("[%s] [%10s] [%-10s] [%.2s]\n", "abc", "abc", "abc", "abc");
	printf("%d %u %d\n", (int)-1, (unsigned int)-1, (char)-1);
	printf("%lld %llu %hd\n", -1LL, 18446744073709551615ULL, (short)-2);
	printf("%i %p\n", 7, 0xabc);
	exit(0);
}
