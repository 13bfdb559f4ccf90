/* Strings and numbers do not mix. */
BEGIN
{
	x = execname;
	x = pid;
	y = execname * 2;
	trace(pid == "1");
}
