#!/usr/sbin/dtrace -s
/* Files that live only while this runs: which process created and which deleted them, and after how long. A file is
   known by its path, so one that is renamed, or deleted by way of a symbolic link to its directory, is not found again.
   Source: the system calls open(), openat(), creat(), unlink() and unlinkat(). */
#pragma D summary files that live for a short time, and how long
#pragma D flag p process int only those that this process deletes
#pragma D example filelife -p 1234 -- temporary files of one process
#pragma D option quiet
#pragma D option strsize=256
#pragma D option switchrate=10hz

inline int AT_FDCWD = -100;	/* from the current directory: include/uapi/linux/fcntl.h */
inline int FMODE_CREATED = 0x100000;	/* it did not exist before: include/linux/fs.h */
inline int IS_NEW[int fd] = getf(fd) != NULL && getf(fd)->f_mode & FMODE_CREATED;
inline string BASE[int fd] = fd == AT_FDCWD ? cwd : fds[fd].fi_pathname;

struct life { uint64_t born; int maker; string program; };
struct life files[string];

BEGIN
{
	printf("%-20s %-8s %-16s %-8s %-16s %10s %s\n", "TIME", "PID", "COMMAND", "MAKER", "COMMAND", "AGE(ms)", "PATH");
}

syscall::open:return, syscall::openat:return, syscall::creat:return
/!errno && IS_NEW[(int)arg1]/
{
	this->path = fds[(int)arg1].fi_pathname;
	files[this->path].born = timestamp;
	files[this->path].maker = pid;
	files[this->path].program = execname;
}

syscall::unlink:entry { self->name = arg0; self->at = AT_FDCWD; }
syscall::unlinkat:entry { self->name = arg1; self->at = (int)arg0; }

syscall::unlink:return, syscall::unlinkat:return
/self->name && !errno && (!$process || pid == $process)/
{
	this->path = copyinstr(self->name);
	this->whole = cleanpath(substr(this->path, 0, 1) == "/" ? this->path :
	    strjoin(BASE[self->at], strjoin("/", this->path)));
	this->born = files[this->whole].born;
	if (this->born) {
		this->us = (timestamp - this->born) / 1000;
		printf("%-20Y %-8d %-16S %-8d %-16S %6d.%03d %S\n", walltimestamp, pid, execname, files[this->whole].maker,
		    files[this->whole].program, this->us / 1000, this->us % 1000, this->whole);
		files[this->whole] = 0;
	}
}

syscall::unlink:return, syscall::unlinkat:return { self->name = 0; }
