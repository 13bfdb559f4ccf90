/* How often getppid() is called: a keyless aggregation, no hash table. */
syscall::getppid:entry
{
	@ = count();
}
