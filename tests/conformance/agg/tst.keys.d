#pragma D option quiet

BEGIN
{
	@["b", 2] = count();
	@["a", 1] = count();
	@["a", 1] = count();
	@["c", -3] = count(); @["c", -3] = count(); @["c", -3] = count();
	exit(0);
}
