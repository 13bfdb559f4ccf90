/* Numbers in a unit, with a fixed number of decimals; exact for all 64 bits, rounded half away from 0. */
#pragma D option quiet

BEGIN
{
	printf("[%{ms}.3f] [%{us}f] [%{s}.0f]\n", 12345678, 1500, 1500000000);
	printf("[%{ms}10.3f] [%{ms}-10.1f] [%{ms}010.2f] [%{ms}+.1f]\n", 12345678, 12345678, -12345678, 50000);
	printf("[%{KiB}.1f] [%{MiB}.2f] [%{GiB}.3f] [%{TiB}.0f]\n", 1536, 1572864, 1LL << 40, 3LL << 39);
	printf("[%{KiB}d] [%{KiB}5u] [%{1000}i] [%{min}d] [%{h}.1f]\n", 2047, 10240, -1999, 119999999999, 5400000000000);
	printf("[%{10}.1f] [%{10}.0f] [%{10}.0f] [%{10}.0f]\n", -4, -4, -5, 25);
	printf("[%{1000}.3f] [%{1000000000}.9f]\n", 18446744073709551615ULL, -9223372036854775807LL - 1);
	printf("[%{3}.20f] [%{ms}*.*f]\n", 1, 8, 1, 7000000);
	printf("[%{1000}.2f] [%{1000}.2f] [%{us}.2f]\n", (char)-5, (unsigned short)65535, 999996);
	exit(0);
}
