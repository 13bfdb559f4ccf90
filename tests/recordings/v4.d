#pragma D option quiet
/* What tests/recordings/v4.dtr and v5.dtr have recorded: records that follow each other, of several clauses and firings. */
int n;

syscall::getppid:entry
/pid == $target/
{
	n++;
	printf("%d %d %s %x\n", n, n * n - 50, n % 3 ? "a text" : "another text, which is longer", (uint64_t)n << 40);
}

syscall::getppid:entry
/pid == $target && n % 5 == 0/
{
	printf("five ");
	ustack(1);
}

syscall::getppid:return
/pid == $target && n % 7 == 0/
{
	trace((int)*(int *)0);
}

END
{
	printf("%d\n", n);
}
