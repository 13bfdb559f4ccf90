#pragma D option quiet

BEGIN
{
	printf("%s %s %s %s %s\n", basename("/usr/lib"), basename("/usr/"), basename("usr"),
	    basename("///"), basename(""));
	printf("%s %s %s %s %s\n", dirname("/usr/lib"), dirname("/usr/"), dirname("usr"),
	    dirname("///"), dirname(""));
	printf("%s %s\n", dirname("/a//b//"), dirname("a/b/c"));
	printf("%s %s %s\n", cleanpath("/a/./b//../c"), cleanpath("//a/../../b"), cleanpath("/a/b/.."));
	printf("%s %s %s\n", cleanpath("/a/.b/..c/..."), cleanpath("../a/."), cleanpath("/a/b/c/../../../.."));
	exit(0);
}
