int foo(int);

BEGIN
{
	trace(foo(1));
	exit(0);
}
