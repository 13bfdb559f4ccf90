/* The part of a probe's name in a key is joined with strings. */
#pragma D option quiet

BEGIN
{
	@name[probename] = count();
	@text["other"] = count();
	@text[probename] = count();
	@both["BEGIN"] = count();
	printa("%s %@d %@d\n", @name, @both);
	printa("%s %@d %@d %@d\n", @text, @name, @both);
	exit(0);
}
