/* Declarations stand outside of clauses. */
BEGIN
{
	int x = 3;
	this string name;
}
