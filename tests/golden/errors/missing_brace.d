/* The first clause is not closed. */
BEGIN
{
	if (pid) {
		trace(1);

END
{
	trace(2);
}
