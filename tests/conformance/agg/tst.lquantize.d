#pragma D option quiet

BEGIN
{
	@ = lquantize(-1, 0, 10, 2); @ = lquantize(0, 0, 10, 2); @ = lquantize(5, 0, 10, 2); @ = lquantize(10, 0, 10, 2);
	exit(0);
}
