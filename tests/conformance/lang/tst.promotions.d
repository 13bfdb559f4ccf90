#pragma D option quiet

/* C's promotions and usual arithmetic conversions. */
BEGIN
{
	printf("%d %d\n", (char)200, (unsigned char)200);
	printf("%d %d\n", -1 < 1, (unsigned long)-1 < 1);
	printf("%d %d %d\n", -7 / 2, -7 % 2, 7 / -2);
	printf("%u\n", (unsigned int)-1);
	printf("%d %d\n", -8 >> 1, 1 << 10);
	printf("%x\n", (unsigned short)0x12345);
	printf("%d\n", (int8_t)0x80);
	exit(0);
}
