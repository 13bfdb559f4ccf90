int table[4];

BEGIN
{
	table[4] = 1;
}
