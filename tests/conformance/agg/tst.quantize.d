#pragma D option quiet

BEGIN
{
	@ = quantize(0); @ = quantize(1); @ = quantize(3); @ = quantize(100); @ = quantize(-5);
	exit(0);
}
