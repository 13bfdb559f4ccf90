/* Strings and numbers do not mix. */
BEGIN
{
	x = execname;
	x = pid;
	y = execname + 1;
	trace(pid == "1");
}
