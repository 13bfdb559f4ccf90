/* Strings of the traced process. */
/* @@options: -q -c "cat /nonexistent/dt-no-such-file" */
syscall::openat:entry
/pid == $target/
{
	self->path = arg1;
}

syscall::openat:return
/self->path && strstr(copyinstr(self->path), "dt-no-such") != NULL/
{
	this->path = copyinstr(self->path);
	printf("%s in %s, %d bytes\n", basename(this->path), dirname(this->path), strlen(this->path));
	exit(0);
}
