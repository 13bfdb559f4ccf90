/* What is committed comes out where the commit stands, in its order; what is discarded does not. */
/* @@stderr: ^dtrace: 1 failed speculation \(no speculative buffer available\)$ */
#pragma D option quiet
#pragma D option nspec=2

BEGIN
{
	self->kept = speculation();
	self->lost = speculation();
	printf("ids %d %d, a third: %d\n", self->kept != 0, self->lost != 0, speculation());
}

BEGIN
{
	speculate(self->kept);
	printf("kept 1\n");
}

BEGIN
{
	speculate(self->lost);
	printf("lost\n");
}

BEGIN
{
	speculate(self->kept);
	printf("kept %s\n", execname);
}

BEGIN
{
	printf("before\n");
}

BEGIN
{
	commit(self->kept);
	discard(self->lost);
}

BEGIN
{
	printf("after\n");
	self->again = speculation();
}

BEGIN
{
	speculate(self->kept);
	printf("it was over\n");
}

BEGIN
{
	commit(self->kept);
}

BEGIN
{
	commit(0);
	discard(self->lost);
}

BEGIN
{
	speculate(self->again);
	printf("never committed\n");
}

BEGIN
{
	speculate(0);
	printf("no speculation\n");
}

BEGIN
{
	printf("a new one: %d\n", self->again != 0 && self->again != self->kept);
	exit(0);
}
