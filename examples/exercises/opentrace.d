#!/usr/sbin/dtrace -qs
/*
 * Exercise 1: each open of a file, with its flags and its result, in one line.
 *
 *     opentrace.d [WORD]        only paths that contain the word
 */

#pragma D option defaultargs

syscall::open:entry
{
	self->path = arg0;
	self->flags = arg1;
}

syscall::openat:entry
{
	self->path = arg1;
	self->flags = arg2;
}

syscall::open:return, syscall::openat:return
/self->path && strstr(copyinstr(self->path), $$1) != NULL/
{
	this->access = self->flags & O_ACCMODE;
	printf("%s[%d(%d:%d)] %s(\"%s\", %s%s%s) = %d\n", execname, pid, uid, gid, probefunc, copyinstr(self->path),
	    this->access == O_WRONLY ? "O_WRONLY" : this->access == O_RDWR ? "O_RDWR" : "O_RDONLY",
	    self->flags & O_APPEND ? "|O_APPEND" : "", self->flags & O_CREAT ? "|O_CREAT" : "", (int)arg0);
}

syscall::open:return, syscall::openat:return
{
	self->path = 0;
	self->flags = 0;
}
