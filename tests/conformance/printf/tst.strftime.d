/* A time by a pattern: local time, so only what every zone shows alike is compared. */
#pragma D option quiet

BEGIN
{
	printf("[%{at %S}Y] [%{%3N}Y] [%{%S.%N}Y] [%{%S.%6N%%N}Y]\n", 61000000001, 61123456789, 61123456789,
	    61123456789);
	printf("[%{%S}10Y] [%{%S}-10Y] [%{no conversion}Y]\n", 7000000000, 7000000000, 0);
	printf("[%{%S.%3N}Y]\n", -1);
	printf("[%{%s}Y]\n", (int64_t)1234567890000000000);
	@[60000000000 * 90 + 5000000000] = count();
	printa("[%{%S}Y] %@d\n", @);
	exit(0);
}
