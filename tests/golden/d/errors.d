/* Several mistakes in one program: each is reported once, in its place. */
BEGIN
{
	trace(exename);
	@a = sum(1);
	@a = count();
	printf("%d %s\n", execname);
	self->x = "a";
	self->x = 3;
	x = 1 / 0;
	pid = 2;
	stringlen("a");
	panic();
}
