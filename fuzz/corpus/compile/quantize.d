BEGIN
{
	@["bytes"] = quantize(3);
	@["bytes"] = quantize(12);
	@["bytes"] = quantize(15);
	@linear = lquantize(42, 0, 100, 20);
	@linear = lquantize(120, 0, 100, 20);
	@loglinear = llquantize(150, 10, 0, 3, 20);
	exit(0);
}
