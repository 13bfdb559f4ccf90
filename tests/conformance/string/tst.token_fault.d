/* There is nothing to go on with in a firing that has not begun. */
#pragma D option quiet

BEGIN
{
	this->s = strtok("a b", " ");
}

tick-10ms
{
	printf("%s\n", strtok(NULL, " "));
}

ERROR
{
	printf("fault %d at %x\n", arg4, arg5);
	exit(0);
}
