/* A string that ends on no line. */
BEGIN
{
	printf("hello, world\n);
	exit(0);
}
