/* if and else in ladders, with exit() without its semicolon, in a clause that fires more than once. */
#pragma D option quiet
int calls;

BEGIN
{
	calls = 0;
	limit = 3;
	verbose = 1;
}

tick-2ms
{
	calls++;
	if (calls > limit) {
		if (verbose) {
			printf("limit of %d reached by %s\n", limit, probename);
			exit(0)
		} else
			exit(1);
	} else if (calls == 2) {
		this->what = "second";
		printf("%d %s\n", calls, this->what);
	} else {
		this->what = calls == 1 ? "first" : "later";
		printf("%d %s\n", calls, this->what);
	}
}
