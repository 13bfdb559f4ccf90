#pragma D option quiet

BEGIN
/curthread->tgid == pid && curthread->pid == tid && curthread->real_parent->tgid == ppid/
{
	printf("%d %s\n", stringof(curthread->comm) == execname, execname);
	exit(0);
}
BEGIN { exit(1); }
