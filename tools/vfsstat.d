#!/usr/sbin/dtrace -s
/* Operations on files in each second: of all, or of a process. The kernel must let its functions be traced (fbt):
   in some, vfs_fsync() has become part of the system calls, so they are counted. */
#pragma D option quiet
#pragma D option defaultargs

BEGIN { printf("%8s %8s %8s %8s %8s\n", "READ", "WRITE", "FSYNC", "OPEN", "CREATE"); }

fbt::vfs_read:entry /!$1 || pid == $1/ { @reads = count(); }
fbt::vfs_write:entry /!$1 || pid == $1/ { @writes = count(); }
fbt::__x64_sys_fsync:entry, fbt::__x64_sys_fdatasync:entry /!$1 || pid == $1/ { @fsyncs = count(); }
fbt::vfs_open:entry /!$1 || pid == $1/ { @opens = count(); }
fbt::vfs_create:entry /!$1 || pid == $1/ { @creates = count(); }

tick-1s, END
{
	printa("%@8d %@8d %@8d %@8d %@8d\n", @reads, @writes, @fsyncs, @opens, @creates);
	clear(@reads); clear(@writes); clear(@fsyncs); clear(@opens); clear(@creates);
}
