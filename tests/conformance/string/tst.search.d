/* index() and rindex() are Perl's; strstr(), strchr() and strrchr() are C's. */
#pragma D option quiet

BEGIN
{
	s = strjoin("hello ", strjoin("hello ", execname));
	printf("%d %d %d %d\n", index(s, "lo"), index(s, "lo", 4), index(s, "lo", 10), index(s, "lo", -3));
	printf("%d %d %d %d\n", rindex(s, "lo"), rindex(s, "lo", 8), rindex(s, "lo", 2), rindex(s, "he", 0));
	printf("%d %d %d %d\n", index(s, ""), index("hello", "", 99), rindex("hello", ""), rindex("hello", "", -1));
	printf("%d %d\n", index(s, "hello hello"), index(s, "hello hallo"));
	this->part = strjoin("hello ", execname);
	printf("%d %d %d\n", index(s, this->part), rindex(s, this->part), index(this->part, s));
	this->none = substr(s, 99);
	printf("%d %d\n", index(s, this->none), rindex(s, this->none));
	printf("[%s] [%s] [%s]\n", strstr(s, "lo h"), strstr(s, this->part), this->absent = strstr(s, "x"));
	printf("[%s] [%s] [%s]\n", strchr(s, 'o'), strrchr(s, 'l'), this->absent = strchr(s, 'x'));
	exit(0);
}
