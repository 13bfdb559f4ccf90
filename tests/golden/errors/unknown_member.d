/* A member that the structure does not have. */
BEGIN
{
	trace(curthread->commm);
}
