#pragma D option quiet

/* What is known of a process. */
/* @@options: -c "sleep 0.05 0.05" */
syscall::clock_nanosleep:entry
/pid == $target/
{
	printf("%s [%s] %s %s %d %s\n", execname, execargs, threadname, zonename, jid, jailname);
	printf("%d %d %d %d\n", progenyof($target), progenyof(ppid), progenyof(1), progenyof(pid + 1));
	/* rdi, rsi, orig_rax, rax, rip */
	printf("%d %d %d %d %d\n", uregs[R_RDI] == arg0, uregs[R_RSI] == arg1, uregs[15], uregs[R_RAX],
	    uregs[R_PC] > 0x1000 && uregs[R_RIP] < 0x7fffffffffff);
	this->i = 14;
	printf("%d\n", uregs[this->i] == arg0);
	this->r = rand();
	this->s = rand();
	printf("%d\n", this->r != this->s || rand() != this->r);
	printf("%d %d %d\n", getmajor(0x00800003), getminor(0x00800003), getminor(-1));
}

syscall::clock_nanosleep:entry
/pid == $target/
{
	this->i = 21;
	printf("never %d\n", uregs[this->i]);
}

ERROR { printf("fault %d\n", arg4); }
