#!/usr/sbin/dtrace -s
/* Where threads leave their CPU, in the kernel and in their program, and how many microseconds they are away in all. A
   thread that has not come back at the end is not counted. One that "is ready" could go on: others have the CPU.
   Source: the provider sched. */
#pragma D summary where threads leave their CPU, and how long they stay off it
#pragma D flag p process process only threads of this process
#pragma D flag t thread process only this thread
#pragma D flag u user bool only threads of programs, not those of the kernel
#pragma D flag k kernel bool only threads of the kernel
#pragma D flag U program bool only the stack of the program
#pragma D flag K system bool only the stack of the kernel
#pragma D flag j names bool with the functions of programs in Python, Ruby, Java and Node
#pragma D flag f folded bool each stack on one line, for flame graphs
#pragma D flag m least uint only times of at least this many microseconds
#pragma D flag M most uint only times of at most this many microseconds
#pragma D argument duration period=365d ends after this time
#pragma D example offcputime -p 1234 10 -- what process 1234 waits for, in ten seconds
#pragma D example offcputime -j -m 1000 -c 'python3 script.py' -- in which lines it waits for 1 ms or more
#pragma D option quiet

inline int OF_PROCESS = $process ? pid == $process : $target ? progenyof($target) : tid;
inline int IS_KERNEL = curthread->flags & 0x200000;	/* PF_KTHREAD of include/linux/sched.h */
inline int WANTED = OF_PROCESS && (!$thread || tid == $thread) && (!$user || !IS_KERNEL) && (!$kernel || IS_KERNEL) &&
    !curthread->exit_state;

BEGIN { printf("Time away from a CPU is added up... Ctrl-C ends it.\n"); }

/* In an array, because a thread's own variables are not available here before Linux 6.4. A thread that has ended does
   not come back. */
sched:::preempt /WANTED/ { ready[tid] = 1; }
sched:::off-cpu /WANTED/
{
	left[tid] = timestamp;
	if ($names) named[tid] = jstack();
	else if (!$system) asked[tid] = ustack();	/* on-cpu does not have it yet */
}

sched:::on-cpu /left[tid]/
{
	this->ns = timestamp - left[tid];
	left[tid] = 0;
	this->how = ready[tid] ? " is ready: it waits for a CPU" : "";
	ready[tid] = 0;
	if (this->ns >= $least * 1000 && (!$most || this->ns <= $most * 1000)) {
		if ($system) @one[execname, this->how, stack()] = sum(this->ns);
		else if ($names) @names[execname, this->how, named[tid]] = sum(this->ns);
		else if ($program) @one[execname, this->how, asked[tid]] = sum(this->ns);
		else @both[execname, this->how, stack(), asked[tid]] = sum(this->ns);
	}
	if ($names) named[tid] = 0;
	else if (!$system) asked[tid] = 0;
}

tick-$duration { exit(0); }
END
{
	normalize(@one, 1000); normalize(@both, 1000); normalize(@names, 1000); printa("%S%s%k%@u us\n\n", @one);
	printa("%S%s%k%k%@u us\n\n", @both);
	printa("%S%s%k%@u us\n\n", @names);
}
