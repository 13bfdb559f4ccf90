/* @@options: -q
 * What a predicate reads may be made by its own clause, or by a later one: an
 * action list is checked before its predicate. A predicate that makes what its
 * actions read is checked first.
 */
BEGIN
/n < 1/
{
	n++;
	name = "made";
}

BEGIN
/later == 0 && self->mark == 0 && word[1] == NULL/
{
	printf("%d %s\n", n, name);
}

BEGIN
/(half = 21) > 0/
{
	printf("%d\n", half * 2);
}

BEGIN
{
	later = 5;
	self->mark = timestamp;
	word[1] = "w";
}

BEGIN
/later == 5 && self->mark != 0 && word[1] == "w"/
{
	exit(0);
}
