/* The clauses of a firing share what strtok() has read. */
#pragma D option quiet

BEGIN
{
	s = "//usr//lib/x86,64";
	d = strjoin("/", ",");
	printf("%s ", strtok(s, "/"));
	printf("%s ", strtok(NULL, "/"));
}

BEGIN
{
	printf("%s ", strtok(NULL, d));
	printf("%s ", strtok(NULL, d));
	printf("[%s] [%s]\n", this->t = strtok(NULL, "/"), this->u = strtok(NULL, "/"));
	printf("[%s] [%s]\n", strtok("a b", ""), this->t = strtok(",,,", ","));
	exit(0);
}
