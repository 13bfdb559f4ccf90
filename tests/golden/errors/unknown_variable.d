/* A built-in variable with a slip. */
syscall::read:entry
/exename == "cat"/
{
	@ = count();
}
