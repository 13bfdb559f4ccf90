#!/usr/sbin/dtrace -s
/* Files and directories that are deleted or renamed, and by which process. Paths are those that the process gives; if
   they do not begin with a slash, they begin in its current directory, or in the one that the call names.
   Source: the system calls unlink(), unlinkat(), rmdir(), rename(), renameat() and renameat2(). */
#pragma D summary files and directories that are deleted or renamed, and by which process
#pragma D flag p process process only those of this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag P path string only those whose path contains this
#pragma D example filegone -P /etc -- who deletes or replaces files of /etc
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option switchrate=10hz

inline int AT_REMOVEDIR = 0x200;	/* include/uapi/linux/fcntl.h */
inline int RENAME_EXCHANGE = 2;	/* include/uapi/linux/fs.h */
inline string VERB[string call, int flags] =
    call == "rmdir" || (call == "unlinkat" && flags & AT_REMOVEDIR) ? "RMDIR" :
    strstr(call, "unlink") != NULL ? "DELETE" :
    call == "renameat2" && flags & RENAME_EXCHANGE ? "SWAP" : "RENAME";
inline int WANTED[uintptr_t path] = path && strstr(copyinstr(path), $path) != NULL;

BEGIN { printf("%-20s %-8s %-16s %-6s %s\n", "TIME", "PID", "COMMAND", "WHAT", "PATH"); }

syscall::unlink:entry, syscall::rmdir:entry { self->path = arg0; }
syscall::unlinkat:entry { self->path = arg1; self->flags = (int)arg2; }
syscall::rename:entry { self->path = arg0; self->to = arg1; }
syscall::renameat:entry, syscall::renameat2:entry { self->path = arg1; self->to = arg3; }
syscall::renameat2:entry { self->flags = (int)arg4; }

syscall::unlink:return, syscall::rmdir:return, syscall::unlinkat:return,
syscall::rename:return, syscall::renameat:return, syscall::renameat2:return
/self->path && !errno && (!$process || pid == $process) && ($name == "" || strstr(execname, $name) != NULL) &&
    ($path == "" || WANTED[self->path] || WANTED[self->to])/
{
	printf("%-20Y %-8d %-16S %-6s %S", walltimestamp, pid, execname, VERB[probefunc, self->flags], copyinstr(self->path));
	if (self->to) printf(" -> %S", copyinstr(self->to));
	printf("\n");
}

syscall::unlink:return, syscall::rmdir:return, syscall::unlinkat:return,
syscall::rename:return, syscall::renameat:return, syscall::renameat2:return
{
	self->path = 0;
	self->to = 0;
	self->flags = 0;
}
