#!/usr/sbin/dtrace -s
/* Files and directories that are deleted or renamed, and by which process. A path that does not
   begin with a slash is shown with the directory that it begins in: the current one, or the one that the call names.
   Source: the system calls unlink(), unlinkat(), rmdir(), rename(), renameat() and renameat2(). */
#pragma D summary files and directories that are deleted or renamed, and by which process
#pragma D flag p process process only those of this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag P path string only those whose path contains this
#pragma D example filegone -P /etc -- who deletes or replaces files of /etc
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option switchrate=10hz

/* Of include/uapi/linux/fcntl.h and fs.h. */
inline int AT_FDCWD = -100;
inline int AT_REMOVEDIR = 0x200;
inline int RENAME_EXCHANGE = 2;
inline string VERB[string call, int flags] =
    call == "rmdir" || (call == "unlinkat" && flags & AT_REMOVEDIR) ? "RMDIR" :
    strstr(call, "unlink") != NULL ? "DELETE" :
    call == "renameat2" && flags & RENAME_EXCHANGE ? "SWAP" : "RENAME";
inline string WHOLE[int in, uintptr_t path] = *(char *)copyin(path, 1) == '/' ? copyinstr(path) :
    cleanpath(strjoin(strjoin(in == AT_FDCWD ? cwd : fds[in].fi_pathname, "/"), copyinstr(path)));

BEGIN { printf("%-20s %-8s %-16s %-6s %s\n", "TIME", "PID", "COMMAND", "WHAT", "PATH"); }

syscall::unlink:entry, syscall::rmdir:entry { self->in = AT_FDCWD; self->path = arg0; }
syscall::rename:entry { self->in = self->into = AT_FDCWD; self->path = arg0; self->to = arg1; }
syscall::unlinkat:entry { self->in = (int)arg0; self->path = arg1; self->flags = (int)arg2; }
syscall::renameat:entry, syscall::renameat2:entry
{
	self->in = (int)arg0; self->path = arg1;
	self->into = (int)arg2; self->to = arg3;
}
syscall::renameat2:entry { self->flags = (int)arg4; }

/* Memory is read when the call ends: it is certainly there then. */
syscall::unlink:return, syscall::rmdir:return, syscall::unlinkat:return,
syscall::rename:return, syscall::renameat:return, syscall::renameat2:return
/self->path && !errno && (!$process || pid == $process) && ($name == "" || strstr(execname, $name) != NULL)/
{
	this->from = WHOLE[self->in, self->path];
	this->onto = self->to ? WHOLE[self->into, self->to] : "";
	this->is_shown = $path == "" || strstr(this->from, $path) != NULL || strstr(this->onto, $path) != NULL;
}
syscall::unlink:return, syscall::rmdir:return, syscall::unlinkat:return,
syscall::rename:return, syscall::renameat:return, syscall::renameat2:return
/this->is_shown/
{
	printf("%-20Y %-8d %-16S %-6s %S", walltimestamp, pid, execname, VERB[probefunc, self->flags], this->from);
	if (self->to) printf(" -> %S", this->onto);
	printf("\n");
}
syscall::unlink:return, syscall::rmdir:return, syscall::unlinkat:return,
syscall::rename:return, syscall::renameat:return, syscall::renameat2:return
{
	self->path = self->to = 0;
	self->flags = 0;
}
