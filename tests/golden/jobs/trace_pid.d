/* One record, and so one line, for each firing. */
syscall::getppid:entry
{
	trace(pid);
}
