/* Percentiles of histograms: the end of the bucket up to which so many percent of the counts are. */
#pragma D option quiet

BEGIN
{
	@q["a"] = quantize(1);
	@q["a"] = quantize(2);
	@q["a"] = quantize(3);
	@q["a"] = quantize(1000, 97);
	@q["b"] = quantize(0);
	@q["c"] = quantize(-5);
	@q["d"] = quantize(9223372036854775807);
	printa("%s p0 %@{p0}d p1 %@{p1}d p2 %@{p2}d p3 %@{p3}d p3.001 %@{p3.001}d p100 %@{p100}d n %@{count}d\n", @q);

	@l = lquantize(7, 0, 100, 10, 50);
	@l = lquantize(-1, 0, 100, 10, 25);
	@l = lquantize(500, 0, 100, 10, 25);
	printa("%@{p25}d %@{p50}d %@{p75}d %@{p75.1}d [%@{p50}6d] %@{p50,10}.2f\n", @l);

	@ll = llquantize(150, 10, 0, 3, 20, 9);
	@ll = llquantize(99999, 10, 0, 3, 20);
	printa("%@{p90}d %@{p91}d %@{p90,us}.3f\n", @ll);

	@n = quantize(5, -1);
	printa("%@{p50}d %@{count}d\n", @n);

	normalize(@q, 10);
	printa("%s %@{p50}d of %@{count}d\n", @q);
	clear(@q);
	printa("%s %@{p50}d of %@{count}d\n", @q);

	@count["a"] = count();
	@count["z"] = count();
	printa("%s %@d %@{p50}d %@{p99}d\n", @count, @q);
	exit(0);
}

END
{
	trunc(@q); trunc(@l); trunc(@ll); trunc(@n); trunc(@count);
}
