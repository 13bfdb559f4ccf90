#!/usr/sbin/dtrace -s
/* When the kernel moves pages together, so that large blocks of memory become free: who asks for it, how long it takes,
   how it ends. Source: the tracepoints mm_compaction_begin and mm_compaction_end. */
#pragma D summary when the kernel moves pages together, for whom, and how long it takes
#pragma D flag p process process only for this process
#pragma D flag t thread process only for this thread
#pragma D flag T timestamps bool also the time of day
#pragma D flag K kernel bool also the stack of the kernel
#pragma D flag e extended bool also the pages that are free in the zone, and its watermarks: min, low, high
#pragma D flag d duration period=365d ends after this time
#pragma D example compactsnoop -T -- each compaction of a zone, with the time of day
#pragma D option quiet
#pragma D option switchrate=10hz

/* enum compact_result: include/linux/compaction.h */
inline string STATUS[int result] = result == 1 ? "skipped" : result == 2 ? "deferred" :
    result == 3 ? "no suitable page" : result == 4 ? "goes on" : result == 5 ? "complete" :
    result == 6 ? "partly skipped" : result == 7 ? "contended" : result == 8 ? "success" : "not suitable";
inline int FREE = 0;	/* NR_FREE_PAGES, the first of enum zone_stat_item */
/* Watermarks are raised for a while after blocks of one kind were given to another: mm/page_alloc.c. */
inline uint64_t MARK[struct zone *zone, int i] = zone->_watermark[i] + zone->watermark_boost;

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-16s %-8s %-8s %4s %-8s %5s %-5s ", "COMMAND", "PID", "TID", "NODE", "ZONE", "ORDER", "MODE");
	if ($extended) printf("%9s %9s %9s %9s ", "FREE", "MIN", "LOW", "HIGH");
	printf("%10s %s\n", "LAT(ms)", "STATUS");
}

sdt:compaction::mm_compaction_begin
/(!$process || pid == $process) && (!$thread || tid == $thread)/
{
	self->begin = timestamp;
}

sdt:compaction::mm_compaction_end
/self->begin/
{
	this->ns = timestamp - self->begin;
	self->begin = 0;
	if ($timestamps) printf("%-20Y ", walltimestamp);
	this->zone = args[0]->zone;
	printf("%-16S %-8d %-8d %4d %-8s %5d %-5s ", execname, pid, tid, this->zone->node, stringof(this->zone->name),
	    args[0]->order, args[3] ? "sync" : "async");
	if ($extended)
		printf("%9d %9d %9d %9d ", this->zone->vm_stat[FREE].counter, MARK[this->zone, 0],
		    MARK[this->zone, 1], MARK[this->zone, 2]);
	printf("%{ms}10.3f %s\n", this->ns, STATUS[args[4]]);
	if ($kernel) stack();
}

tick-$duration { exit(0); }
