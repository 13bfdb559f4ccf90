/* Constants of the arguments of system calls, and flags of threads. */
/* @@options: -c "sleep 0.1" */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, MADV_DONTNEED);
	printf("%x %d %d %d\n", CLONE_VM | CLONE_THREAD, RLIMIT_NOFILE, FUTEX_WAKE, CLOCK_MONOTONIC);
	printf("%o %d %d %d\n", S_IFMT, AT_FDCWD, F_GETFL, LOCK_EX);
	printf("%d %d %d %d\n", POLLIN, SOL_SOCKET, SO_REUSEADDR, SEGV_MAPERR);
	printf("%d\n", (curlwpsinfo->pr_flag & (PR_ASLEEP | PR_ISTOP | PR_STOPPED)) == 0);
}

sched:::sleep
/pid == $target && (curlwpsinfo->pr_flag & PR_ASLEEP)/
{
	slept = 1;
}

END
{
	printf("%s\n", slept ? "asleep" : "awake");
}
