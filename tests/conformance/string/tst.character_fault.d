/* A character beyond all that a string can hold cannot be written; NULL has no characters. */
#pragma D option quiet
#pragma D option strsize=16

char *p;

BEGIN
{
	s = "abc";
	n = 16;
	s[n] = 'x';
	printf("not this\n");
}

BEGIN
{
	n = -1;
	s[n] = 'x';
	printf("nor this\n");
}

BEGIN
{
	printf("%c\n", strstr(s, "z")[0]);
}

BEGIN
{
	p = s + 1;
	*p = 'x';
	printf("nor that\n");
}

BEGIN
{
	s[15] = 'x';
	printf("%s\n", s);
	exit(0);
}

ERROR
{
	printf("fault %d %s\n", arg4, arg5 >= -1 && arg5 < 17 ? lltostr(arg5) : "elsewhere");
}
