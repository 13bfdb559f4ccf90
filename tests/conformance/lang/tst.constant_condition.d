/* @@options: -q
 * A branch that a constant condition excludes may be for another system.
 */
inline int IS_LINUX = 1;

BEGIN
{
	printf("%d %s\n", IS_LINUX ? 42 : curproc->p_pid,
	    sizeof (int) == 8 ? stringof(`no_such_symbol) : "four");
	exit(0);
}
