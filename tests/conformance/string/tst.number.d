#pragma D option quiet

BEGIN
{
	b = 16;
	printf("%s %s %s %s\n", lltostr(0), lltostr(-7), lltostr(-9223372036854775807 - 1), lltostr(0xff, b));
	printf("%s %s %s %s\n", lltostr(8, 8), lltostr(0, 8), lltostr(0, 16), lltostr(35, 36));
	printf("%s\n", lltostr(-1, 2));
	printf("%d %d %d %d\n", strtoll("12j"), strtoll(""), strtoll(" \t-12"), strtoll("+7"));
	printf("%d %d %d %d\n", strtoll("0xFfg", b), strtoll("0xg", 16), strtoll("zZ", 36), strtoll("102", 2));
	printf("%d\n", strtoll("18446744073709551617"));
	exit(0);
}
