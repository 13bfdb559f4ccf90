/* A function with a slip, and one that is known by name only. */
syscall::openat:entry
{
	trace(copyinstring(arg1));
	trace(msgsize(0));
}
