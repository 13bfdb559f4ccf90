#pragma D option quiet

/* A pointer within what was copied in leads back to the process's memory. */
/* @@options: -c "/bin/sh -c '/bin/echo one two >/dev/null; :'" */
syscall::execve:entry
/ppid == $target/
{
	this->argv = (char **)copyin(arg1, 4 * sizeof(char *));
	printf("%s %s %d\n", stringof(this->argv[1]), stringof(this->argv[2]), this->argv[3] == NULL);
}
