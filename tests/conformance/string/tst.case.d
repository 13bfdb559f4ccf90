#pragma D option quiet

BEGIN
{
	printf("%s %s\n", toupper("abc xyz {`@[ 123"), tolower("ABC XYZ {`@[ 123"));
	printf("%s\n", tolower("\xc0\xdf") == "\xc0\xdf" ? "ASCII only" : "changed");
	exit(0);
}
