/* What an if records after speculate() belongs to the speculation too. */
#pragma D option quiet

BEGIN
{
	self->id = speculation();
	n = 3;
}

BEGIN
{
	printf("direct\n");
}

BEGIN
{
	speculate(self->id);
	if (n == 3) {
		printf("three\n");
	} else {
		printf("not three\n");
	}
	if (n > 5)
		printf("many\n");
	else
		printf("few\n");
}

BEGIN
{
	if (n == 3)
		speculate(self->id);
	printf("in it\n");
}

BEGIN
{
	if (n == 4)
		speculate(self->id);
	printf("not in it\n");
}

BEGIN
{
	commit(self->id);
}

BEGIN
{
	exit(0);
}
