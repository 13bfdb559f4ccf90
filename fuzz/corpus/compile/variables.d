string last;
self int depth;
this char small;
int seen[string, int];

BEGIN
{
	last = "none";
	self->depth++;
	this->small = 300;
	seen["a", 1] = 7;
	printf("%s %d %d %d %d\n", last, self->depth, this->small, seen["a", 1], seen["b", 2]);
	seen["a", 1] = 0;               /* frees the element */
}

BEGIN
{
	printf("%d %d\n", this->small, self->depth);
	exit(0);
}
