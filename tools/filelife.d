#!/usr/sbin/dtrace -s
/* Files that live only while this runs: which process created and which deleted them, and after how long. A file is
   known by its path, also after a rename: one that is deleted by way of a symbolic link to its directory, or whose directory
   is renamed, is not found again. One that another file replaces by a rename is deleted.
   Source: the system calls open(), openat(), openat2(), creat(), unlink(), unlinkat(), rename(), renameat() and renameat2(). */
#pragma D summary files that live for a short time, and how long
#pragma D flag p process int only those that this process deletes
#pragma D example filelife -p 1234 -- temporary files of one process
#pragma D option quiet
#pragma D option strsize=256
#pragma D option switchrate=10hz

inline int AT_FDCWD = -100;	/* from the current directory: include/uapi/linux/fcntl.h */
inline int FMODE_CREATED = 0x100000;	/* it did not exist before: include/linux/fs.h */
inline int IS_NEW[int fd] = getf(fd) != NULL && getf(fd)->f_mode & FMODE_CREATED;
inline int RENAME_EXCHANGE = 2;	/* include/uapi/linux/fs.h */
inline string BASE[int fd] = fd == AT_FDCWD ? cwd : fds[fd].fi_pathname;
inline string WHOLE[int fd, string path] =
    cleanpath(substr(path, 0, 1) == "/" ? path : strjoin(BASE[fd], strjoin("/", path)));

struct life { uint64_t born; int maker; string program; };
struct life files[string];

BEGIN
{
	printf("%-20s %-8s %-16s %-8s %-16s %10s %s\n", "TIME", "PID", "COMMAND", "MAKER", "COMMAND", "AGE(ms)", "PATH");
}

syscall::open:return, syscall::openat:return, syscall::openat2:return, syscall::creat:return
/!errno && IS_NEW[(int)arg1]/
{
	this->path = fds[(int)arg1].fi_pathname;
	files[this->path].born = timestamp;
	files[this->path].maker = pid;
	files[this->path].program = execname;
}

syscall::unlink:entry { self->name = arg0; self->at = AT_FDCWD; }
syscall::unlinkat:entry { self->name = arg1; self->at = (int)arg0; }

syscall::rename:entry { self->name = arg0; self->at = AT_FDCWD; self->to = arg1; self->to_at = AT_FDCWD; }
syscall::renameat:entry, syscall::renameat2:entry
{
	self->name = arg1;
	self->at = (int)arg0;
	self->to = arg3;
	self->to_at = (int)arg2;
}
syscall::renameat2:entry /arg4 & RENAME_EXCHANGE/ { self->name = 0; }

syscall::unlink:return, syscall::unlinkat:return, syscall::rename:return, syscall::renameat:return, syscall::renameat2:return
/self->name && !errno/
{
	this->whole = WHOLE[self->at, copyinstr(self->name)];
	this->new = self->to ? WHOLE[self->to_at, copyinstr(self->to)] : "";
	/* The file that ends: of a rename, one that had the new path. */
	this->end = self->to ? this->new : this->whole;
	this->born = this->new == this->whole ? 0 : files[this->end].born;
	if (this->born && (!$process || pid == $process)) {
		this->us = (timestamp - this->born) / 1000;
		printf("%-20Y %-8d %-16S %-8d %-16S %6d.%03d %S\n", walltimestamp, pid, execname, files[this->end].maker,
		    files[this->end].program, this->us / 1000, this->us % 1000, this->end);
	}
	if (this->born) files[this->end] = 0;
	if (self->to && this->new != this->whole && files[this->whole].born) {
		files[this->new] = files[this->whole];
		files[this->whole] = 0;
	}
}

syscall::unlink:return, syscall::unlinkat:return, syscall::rename:return, syscall::renameat:return, syscall::renameat2:return
{
	self->name = 0;
	self->to = 0;
}
