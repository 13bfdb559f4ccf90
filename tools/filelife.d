#!/usr/sbin/dtrace -s
/* Files that live only while this runs: which process created and which deleted them, and after how long. A file is
   known by its path, also after a rename: one that is deleted by way of a symbolic link to its directory, or whose
   directory is renamed, is not found again. A file that another one replaces by a rename is deleted.
   Source: the system calls that open, create, unlink and rename files. */
#pragma D summary files that live for a short time, and how long
#pragma D flag p process process only those that this process deletes
#pragma D example filelife -p 1234 -- temporary files of one process
#pragma D option quiet
#pragma D option strsize=256
#pragma D option switchrate=10hz
inline int AT_FDCWD = -100;	/* from the current directory: include/uapi/linux/fcntl.h */
inline int FMODE_CREATED = 0x100000;	/* it did not exist before: include/linux/fs.h */
inline int IS_NEW[int fd] = getf(fd) != NULL && getf(fd)->f_mode & FMODE_CREATED;
inline string BASE[int fd] = fd == AT_FDCWD ? cwd : fds[fd].fi_pathname;
inline string WHOLE[int fd, string path] =
    cleanpath(substr(path, 0, 1) == "/" ? path : strjoin(BASE[fd], strjoin("/", path)));

struct life { uint64_t born; int maker; string program; };
struct life files[string];

BEGIN
{
	printf("%-20s %-8s %-16s %-8s %-16s %10s %s\n", "TIME", "PID", "COMMAND", "MAKER", "MADEBY", "AGE(ms)", "PATH");
}

syscall::open:return, syscall::openat:return, syscall::openat2:return, syscall::creat:return
/!errno && IS_NEW[(int)arg1]/
{
	this->path = fds[(int)arg1].fi_pathname;
	files[this->path].born = timestamp;
	files[this->path].maker = pid;
	files[this->path].program = execname;
}

syscall::unlink:entry { self->name = arg0; self->at = AT_FDCWD; self->to = 0; }
syscall::unlinkat:entry { self->name = arg1; self->at = (int)arg0; self->to = 0; }
syscall::rename:entry { self->name = arg0; self->at = AT_FDCWD; self->to = arg1; self->to_at = AT_FDCWD; }
syscall::renameat:entry, syscall::renameat2:entry
{
	self->name = probefunc == "renameat2" && arg4 & 2 ? 0 : arg1;	/* RENAME_EXCHANGE */
	self->at = (int)arg0; self->to = arg3; self->to_at = (int)arg2;
}

syscall::unlink:return, syscall::unlinkat:return, syscall::rename*:return
/self->name && !errno/
{
	this->old = WHOLE[self->at, copyinstr(self->name)];
	this->end = self->to ? WHOLE[self->to_at, copyinstr(self->to)] : this->old;	/* which file is no more */
	this->born = self->to && this->end == this->old ? 0 : files[this->end].born;
	if (this->born && (!$process || pid == $process))
		printf("%-20Y %-8d %-16S %-8d %-16S %{ms}10.3f %S\n", walltimestamp, pid, execname, files[this->end].maker,
		    files[this->end].program, timestamp - this->born, this->end);
	if (this->born) files[this->end] = 0;
	if (this->end != this->old && files[this->old].born) {
		files[this->end] = files[this->old];
		files[this->old] = 0;
	}
}
syscall::unlink:return, syscall::unlinkat:return, syscall::rename*:return { self->name = 0; }
