/* A division that can only fail. */
BEGIN
{
	trace(1 / (2 - 2));
}
