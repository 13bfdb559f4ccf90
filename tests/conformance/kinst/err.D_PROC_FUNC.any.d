/* One that is matched by a pattern of one letter, too. */
kinst:vmlinux:?:0
{
	exit(0);
}
