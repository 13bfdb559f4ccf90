#!/usr/sbin/dtrace -s
/* How long pieces of work wait in the kernel's queues until a worker begins with them.
   Source: the tracepoints workqueue_queue_work and workqueue_execute_start. */
#pragma D summary how long work in a workqueue of the kernel waits for a worker
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D flag W queues bool for each queue
#pragma D flag w queue string only work of this queue
#pragma D flag F functions bool for each function that is the work
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example wqlat -W 10 1 -- ten seconds, by queue
#pragma D option quiet

inline string UNIT = $milliseconds ? "ms" : "us";

BEGIN { printf("Waits for a worker are timed... Ctrl-C ends it.\n"); }

sdt:workqueue::workqueue_queue_work
/$queue == "" || stringof(args[1]->wq->name) == $queue/
{
	queued[arg2] = timestamp;
	queue_of[arg2] = $queues ? stringof(args[1]->wq->name) : "all queues";
}

sdt:workqueue::workqueue_execute_start
/queued[arg0]/
{
	this->wait = (timestamp - queued[arg0]) / ($milliseconds ? 1000000 : 1000);
	if ($functions) @work[queue_of[arg0], args[0]->func, UNIT] = quantize(this->wait);
	else @[queue_of[arg0], UNIT] = quantize(this->wait);
	queued[arg0] = 0;
	queue_of[arg0] = 0;
}

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %s, %s%@d\n", @);
	printa("  %s, %a, %s%@d\n", @work);
	trunc(@);
	trunc(@work);
}
tick-$interval /$count && reports == $count/ { exit(0); }
