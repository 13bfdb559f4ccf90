/* What the system says is not for the program to change. */
BEGIN
{
	pid = 1;
	arg0++;
	3 = 4;
}
