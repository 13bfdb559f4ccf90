#pragma D option quiet

typedef struct pair { int a; char b[4]; uint64_t c; } pair_t;
BEGIN
{
	printf("%d %d %d\n", sizeof (int), sizeof (pair_t), sizeof (struct pair));
	printf("%d %d\n", offsetof(pair_t, c), sizeof (curthread));
	exit(0);
}
