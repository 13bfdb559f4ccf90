#pragma D option quiet
#pragma D option strsize=15

/* Arguments as one string, cut like any other; none where there is no process. */
/* @@options: -c "/bin/sleep 0.01 0.02 0.03" */
syscall::clock_nanosleep:entry
/pid == $target && execargs == "/bin/sleep 0.01"/
{
	printf("[%s]\n", execargs);
	@[execargs] = count();
}
