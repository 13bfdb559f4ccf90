BEGIN
{
	execname[0] = 'x';
}
