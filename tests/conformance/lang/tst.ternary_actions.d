#pragma D option quiet

/* ?: with actions in its branches, as scripts with options have it. */

inline int OPT_time = 1;
inline int OPT_zone = 0;

BEGIN
{
	OPT_time ? printf("TIME ") : 1;
	OPT_zone ? printf("ZONE ") : 1;
	OPT_zone ? 1 : printf("PID ");
	pid == 0 ? printf("idle") : uid == 0 ? printf("root") : printf("somebody");
	printf("\n");
	this->n = 3;
	this->n > 2 ? @big = count() : 1;
	this->n > 5 ? @huge = count() : 1;
	this->n ? this->n++ : this->n--;
	printf("%d\n", this->n);
	(void) this->n;
	this->n, this->n = 9;
	printf("%d\n", (1, this->n))
}

BEGIN
{
	if (this->n == 9) {
		if (uid == 0)
			printf("a\n");
		else
			printf("b\n");
		printf("c\n")
	} else if (this->n == 8)
		printf("d\n");
	else {
		;
	}
	if (this->n == 1) { } else { printf("e\n"); exit(0) }
}

END
{
	printa("%@d\n", @big);
	printa("%@d\n", @huge);
}
