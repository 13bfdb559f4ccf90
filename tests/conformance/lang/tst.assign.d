#pragma D option quiet

BEGIN
{
	x = 10;
	x += 5; x -= 3; x *= 4; x /= 6; x %= 5; x <<= 4; x |= 1; x &= 0x31; x ^= 3; x >>= 1;
	y = x++;
	z = ++x;
	w = x--;
	printf("%d %d %d %d\n", x, y, z, w);
	exit(0);
}
