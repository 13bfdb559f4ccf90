BEGIN
{
	trace(lltostr(10, 37));
}
