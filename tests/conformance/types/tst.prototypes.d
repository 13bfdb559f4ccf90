/* Functions that headers of C declare are no variables, and no probes look for them. */
#pragma D option quiet

int plain(int);
extern int variadic(const char *, ...);
void nothing(void);
unsigned long long arrays(struct task_struct *, int numbers[], char **);
int (*pointer)(int);

BEGIN
{
	printf("%d\n", pointer == 0);
	exit(0);
}
