/* @@host */
/* Each conversion, flag, width and precision, on every size. */
#pragma D option quiet

BEGIN
{
	printf("[%d] [%d] [%d] [%d]\n", (char)-1, (short)-1, -1, -1LL);
	printf("[%u] [%u] [%u] [%u]\n", (char)-1, (short)-1, -1, -1LL);
	printf("[%x] [%x] [%X] [%o]\n", (char)-1, (short)-1, -1, -1LL);
	printf("[%d] [%d] [%d]\n", (uint8_t)255, (uint16_t)65535, 4294967295U);
	printf("[%hd] [%hu] [%ld] [%lx] [%llu]\n", (short)-2, (short)-2, -2L, -2L, -2ULL);
	printf("[%8d|%-8d|%08d|%+d|% d|%.4d|%8.4d]\n", 42, 42, 42, 42, 42, 42, 42);
	printf("[%#x|%#o|%#X|%#x|%p|%?x]\n", 255, 8, 255, 0, 255, 255);
	printf("[%*d|%-*d|%.*d|%*.*d]\n", 5, 1, 5, 2, 3, 3, 6, 2, 4);
	printf("[%*d]\n", -4, 7);
	printf("[%c%c|%3c|%-3c|%C|%C|%C]\n", 'a', 66, 'c', 'd', 'e', '\n', 0x1b);
	printf("[%s|%6s|%-6s|%.2s|%6.2s|%.*s]\n", "text", "text", "text", "text", "text", 3, "text");
	printf("[%S]\n", "tab\tquote\"bell\a");
	printf("[%Y|%T]\n", (int64_t)1069770600 * 1000000000, (int64_t)1069770600 * 1000000000);
	printf("[%P|%P|%I]\n", 22, 1, "no address");
	printf("[%s|%s|%5s]\n", probefunc, probename, probeprov);
	printf("[%%|%5d%%]\n", 50);
	printf("[%a|%A]\n", 0, 0x10);
	exit(0);
}
