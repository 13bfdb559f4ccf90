/* The script wants an argument that nobody gave. */
syscall:::entry
/pid == $1/
{
	@[probefunc] = count();
}
