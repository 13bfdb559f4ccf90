#!/usr/sbin/dtrace -s
/* Operations on files in each second or other interval. Source: functions of the kernel (fbt), which it must allow to
   be traced. In some kernels vfs_fsync() has become part of the system calls, so these are counted. */
#pragma D summary operations on files per interval
#pragma D flag p process process only those of this process
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example vfsstat 5 3 -- three reports, one each five seconds
#pragma D option quiet

BEGIN { printf("%8s %8s %8s %8s %8s\n", "READ", "WRITE", "FSYNC", "OPEN", "CREATE"); }

fbt::vfs_read:entry /!$process || pid == $process/ { @reads = count(); }
fbt::vfs_write:entry /!$process || pid == $process/ { @writes = count(); }
fbt::__x64_sys_fsync:entry, fbt::__x64_sys_fdatasync:entry /!$process || pid == $process/ { @fsyncs = count(); }
fbt::vfs_open:entry /!$process || pid == $process/ { @opens = count(); }
fbt::vfs_create:entry /!$process || pid == $process/ { @creates = count(); }

tick-$interval, END
/!$count || reports++ < $count/
{
	printa("%@8d %@8d %@8d %@8d %@8d\n", @reads, @writes, @fsyncs, @opens, @creates);
	clear(@reads); clear(@writes); clear(@fsyncs); clear(@opens); clear(@creates);
}
tick-$interval /$count && reports == $count/ { exit(0); }
