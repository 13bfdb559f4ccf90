#!/usr/sbin/dtrace -s
/* When the kernel writes changed pages of files to a disk: which disk, how many pages, why, and how long it took.
   Source: the tracepoints writeback_start and writeback_written. */
#pragma D summary when the kernel writes changed pages of files to disks
#pragma D flag d disk disk only to this disk, such as sda or 8:0
#pragma D flag m least uint only those that take at least this many milliseconds
#pragma D example writeback -d sda -- what is written to the disk sda
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-20s %-10s %10s %10s %s\n", "TIME", "DEVICE", "PAGES", "LAT(ms)", "WHY"); }

sdt:writeback::writeback_start
{
	self->begin = timestamp;
	self->pages = args[1]->nr_pages;
}

sdt:writeback::writeback_written
/self->begin/
{
	this->ns = timestamp - self->begin;
	this->device = stringof(args[0]->bdi->dev_name);
	this->disk = args[0]->bdi->owner != NULL ? stringof(args[0]->bdi->owner->kobj.name) : "";
	this->pages = self->pages - args[1]->nr_pages;
	self->begin = 0;
	if (this->pages && this->ns >= $least * 1000000 && ($disk == "" || this->device == $disk || this->disk == $disk)) {
		printf("%-20Y %-10S %10d %{ms}10.3f ", walltimestamp, this->device, this->pages, this->ns);
		print(args[1]->reason);	/* as the kernel names it */
	}
}
