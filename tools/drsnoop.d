#!/usr/sbin/dtrace -s
/* Threads that must free memory themselves before they get any, how long this takes them, and how many pages it frees:
   of the whole machine (direct reclaim), or with -c also of the memory that a cgroup may use.
   Source: the tracepoints mm_vmscan_direct_reclaim_begin and _end; with -c mm_vmscan_memcg_reclaim_begin and _end. */
#pragma D summary threads that must free memory before they get any, and how long it takes
#pragma D flag p process process only those of this process
#pragma D flag t thread process only this thread
#pragma D flag u user user=-1 only those of this user
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag T timestamps bool also the time of day
#pragma D flag U users bool also the user
#pragma D flag c cgroups bool also those whose cgroup has reached its limit
#pragma D flag e extended bool also the memory that programs could get, in KiB, when the line is printed
#pragma D flag d duration period=365d ends after this time
#pragma D example drsnoop -c -n postgres -- whether PostgreSQL waits for memory
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	if ($users) printf("%-6s ", "UID");
	printf("%-16s %-8s %-8s %-8s %10s %8s", "COMMAND", "PID", "TID", "OF", "LAT(ms)", "PAGES");
	if ($extended) printf(" %12s", "MEM(KiB)");
	printf("\n");
}

sdt:vmscan::mm_vmscan_direct_reclaim_begin, sdt:vmscan::mm_vmscan_memcg_reclaim_begin
/($cgroups || probename != "mm_vmscan_memcg_reclaim_begin") && (!$process || pid == $process) &&
    (!$thread || tid == $thread) && ($user < 0 || uid == $user) && ($name == "" || strstr(execname, $name) != NULL)/
{
	self->begin = timestamp;
}

sdt:vmscan::mm_vmscan_direct_reclaim_end, sdt:vmscan::mm_vmscan_memcg_reclaim_end
/self->begin/
{
	this->ns = timestamp - self->begin;
	self->begin = 0;
	if ($timestamps) printf("%-20Y ", walltimestamp);
	if ($users) printf("%-6d ", uid);
	printf("%-16S %-8d %-8d %-8s %{ms}10.3f %8d", execname, pid, tid,
	    probename == "mm_vmscan_direct_reclaim_end" ? "machine" : "cgroup", this->ns, arg0);
	if ($extended) printf(" %{memavailable,KiB}12d");
	printf("\n");
}

tick-$duration { exit(0); }
