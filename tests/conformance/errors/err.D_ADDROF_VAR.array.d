int table[4];

BEGIN
{
	trace(&table);
}
