/* A histogram is a picture, which has no unit. */
BEGIN
{
	@a = quantize(1);
	printa("%@{ms}d\n", @a);
}
