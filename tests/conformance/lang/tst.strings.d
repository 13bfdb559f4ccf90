#pragma D option quiet

BEGIN
{
	s = "abc";
	t = s;
	s = "abd";
	printf("%s %s %d %d %d\n", s, t, s == t, s > t, s != "abd");
	u = "";
	printf("[%s] %d\n", u, u == "");
	exit(0);
}
