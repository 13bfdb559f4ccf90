BEGIN
{
	trace(comm);
	trace(strcmp(execname, "cat"));
	trace("a" + execname);
	@ = hist(pid);
	printa(@b);
	trace(kstack);
}
