/* Constants have C's types. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", -1u == 4294967295, -1 == 4294967295, -1ul == 0xffffffffffffffff);
	printf("%d %u %d\n", sizeof(NULL), NULL, NULL == 0);
	printf("%d %d %d\n", sizeof("hi"), sizeof(""), sizeof(execname));
	this->p = (struct task_struct *)NULL;
	printf("%d %d\n", this->p == NULL, curthread != NULL);
	exit(0);
}
