#!/usr/sbin/dtrace -s
/* Whether the pages of files that programs read are in memory already: pages that were read (TOTAL), and pages that
   had to come from the disk, with those that are read ahead (MISSES). Pages of files that are mapped, and what is
   written, are not counted. Source: the tracepoints mm_filemap_get_pages and mm_filemap_add_to_page_cache. */
#pragma D summary how often the pages that programs read from files are hits of the page cache
#pragma D flag p process process only what this process reads
#pragma D flag P processes bool for each program
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example cachestat 5 -- a report each five seconds
#pragma D example cachestat -P 10 1 -- ten seconds, by program
#pragma D option quiet

inline string NAME = $processes ? execname : "all";
inline uint64_t PAGE = 4096;
/* A folio of several pages says so in a bit of its flags (PG_head), and how many in its second page. */
inline uint64_t PAGES_OF[struct folio *folio] = *(uint64_t *)folio & 0x40 ? 1 << (folio->_flags_1 & 0xff) : 1;

self uintptr_t mapping;
self uint64_t last, at, added;
self uintptr_t added_to;

BEGIN { printf("Pages are counted... Ctrl-C ends it.\n"); }

sdt:filemap::mm_filemap_add_to_page_cache
/!$process || pid == $process/
{
	self->added = (self->added_to == (uintptr_t)args[0]->mapping ? self->added : 0) + PAGES_OF[args[0]];
	self->added_to = (uintptr_t)args[0]->mapping;
}

/* Pages from number arg1 to arg2 are wanted, and the first of them are there. A read of many pages comes here again for
   those that are left. */
sdt:filemap::mm_filemap_get_pages
/!$process || pid == $process/
{
	this->size = (args[0]->host->i_size + PAGE - 1) / PAGE;
	this->last = arg2 < this->size ? arg2 : this->size - 1;
	this->again = self->mapping == arg0 && self->last == this->last && arg1 > self->at;
	@total[NAME] = sum(this->again || arg1 >= this->size ? 0 : this->last - arg1 + 1);
	@misses[NAME] = sum(self->added_to == arg0 ? self->added : 0);
	self->added = 0;
	self->mapping = arg0;
	self->last = this->last;
	self->at = arg1;
}

syscall:::return /self->mapping || self->added/ { self->mapping = 0; self->added_to = 0; }

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printf("%-16s %12s %12s\n", "PROGRAM", "TOTAL", "MISSES");
	printa("%-16S %@12d %@12d\n", @total, @misses);
	trunc(@total);
	trunc(@misses);
}
tick-$interval /$count && reports == $count/ { exit(0); }
