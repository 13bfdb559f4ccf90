#pragma D option quiet
#pragma D option aggnonzero
/* Rows whose values are all 0 are left out, in each form; of rows of several aggregations, if all are 0. */
BEGIN
{
	@a["gone"] = sum(5);
	@a["gone"] = sum(-5);
	@a["there"] = sum(5);
	@b["gone"] = sum(0);
	@b["half"] = sum(1);
	@q["kept"] = quantize(0);
	@q["emptied"] = quantize(4, 2);
	@q["emptied"] = quantize(4, -2);
	printa("%s %@d %@d\n", @a, @b);
	printa(@a);
	printa("%s\n", @q);
	@half["gone"] = sum(0);
	@half["there"] = sum(1);
	printa("%s %@d %@d\n", @a, @half);
	@low["0"] = min(0);
	@low["most"] = min(9223372036854775807);
	@high["0"] = max(0);
	@high["least"] = max(-9223372036854775807 - 1);
	@mean["0"] = avg(1);
	@mean["0"] = avg(-1);
	@mean["half"] = avg(0);
	@mean["half"] = avg(1);
	@spread["0"] = stddev(7);
	printa("%s %@d\n", @low);
	printa("%s %@d\n", @high);
	printa("%s %@.1f\n", @mean);
	printa("%s %@d\n", @spread);
	exit(0);
}
