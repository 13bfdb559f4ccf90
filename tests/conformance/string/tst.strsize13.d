/* Everything is cut to strsize, and ends with a NUL. */
#pragma D option quiet
#pragma D option strsize=13

BEGIN
{
	s = strjoin("abcdefgh", "ijklmnop");
	printf("%s %d\n", s, strlen(s));
	printf("%s %s\n", toupper(s), lltostr(-1234567890123));
	printf("%s %s\n", strjoin(s, s), strstr(s, "l"));
	printf("%s %d\n", substr(s, 3), index(s, "l"));
	exit(0);
}
