/* A unit that D does not know. */
BEGIN
{
	printf("%{parsec}d\n", 1);
}
