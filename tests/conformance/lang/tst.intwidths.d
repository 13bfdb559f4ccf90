#pragma D option quiet

int8_t a; uint8_t b; int16_t c; uint16_t d; int32_t e; uint32_t f; int64_t g; uint64_t h;
BEGIN
{
	a = 0x1ff; b = 0x1ff; c = 0x1ffff; d = 0x1ffff; e = 0x1ffffffff; f = 0x1ffffffff; g = -1; h = -1;
	printf("%d %d %d %d %d %d %d %u\n", a, b, c, d, e, f, g, h);
	a++; b++; c--; d++; e += 2; f -= 1; 
	printf("%d %d %d %d %d %u\n", a, b, c, d, e, f);
	exit(0);
}
