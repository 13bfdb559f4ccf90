/* An option with a slip, and one with a bad value. */
#pragma D option quite
#pragma D option strsize=lots

BEGIN
{
	exit(0);
}
