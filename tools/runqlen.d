#!/usr/sbin/dtrace -s
/* How many threads wait for a CPU that is busy with another one, as samples of each CPU see it. An idle CPU, for which
   no thread waits, is not sampled. Source: the provider profile, and nr_running of the kernel's run queues. */
#pragma D summary how many threads wait for busy CPUs
#pragma D flag C cpus bool separately for each CPU
#pragma D flag O occupancy bool only in how much of the time a thread waited, in percent
#pragma D flag T timestamps bool the time of day before each report
#pragma D flag f frequency count=99 samples in a second
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example runqlen -C 1 -- by CPU, each second
#pragma D option quiet

int64_t reports, most, taken[int], report[int];

BEGIN
{
	begun = timestamp;
	printf("Run queues are sampled... Ctrl-C ends it.\n");
}

/* The thread that runs is in the queue, and does not wait. */
profile-$frequency
{
	this->waiting = curthread->se.cfs_rq->rq->nr_running - 1;
	this->waiting = this->waiting < 0 ? 0 : this->waiting;	/* the last thread may be about to leave */
	taken[cpu] = report[cpu] == reports ? taken[cpu] + 1 : 1;
	report[cpu] = reports;
	most = taken[cpu] > most ? taken[cpu] : most;
	if ($occupancy && $cpus)
		@of_each[cpu] = sum(this->waiting ? 100000000 : 0);
	else if ($occupancy)
		@of_all = sum(this->waiting ? 100000000 : 0);
	else if ($cpus)
		@each[cpu] = lquantize(this->waiting, 0, 64, 1);
	else
		@ = lquantize(this->waiting, 0, 64, 1);
}

tick-$interval, END
/!$count || reports < $count/
{
	reports++;
	if ($timestamps) printf("%Y\n", walltimestamp);
	/* A CPU that was always busy has taken all samples; one that was idle, fewer than there was time for. */
	this->samples = (timestamp - begun) * $frequency / 1000000000;
	this->samples = most > this->samples ? most : this->samples ? this->samples : 1;
	begun = timestamp; most = 0;
	normalize(@of_all, this->samples * `ncpus);
	normalize(@of_each, this->samples);
	printa("a thread waits for a CPU in %@{1000000}.2f %% of the time\n", @of_all);
	printa("CPU %d: a thread waits in %@{1000000}.2f %% of the time\n", @of_each);
	printa("  threads that wait%@d\n", @);
	printa("  CPU %d, threads that wait%@d\n", @each);
	trunc(@);
	trunc(@each);
	trunc(@of_all);
	trunc(@of_each);
}
tick-$interval /$count && reports == $count/ { exit(0); }
