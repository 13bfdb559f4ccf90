/* Conversions and arguments that do not fit: too few, too many, wrong types. */
BEGIN
{
	printf("%d %s\n", pid);
	printf("%d\n", pid, tid);
	printf("%s\n", pid);
	printf("%d\n", execname);
	printf("%y\n", pid);
}
