BEGIN
{
	trace(strlen(10));
}
