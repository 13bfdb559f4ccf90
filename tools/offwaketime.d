#!/usr/sbin/dtrace -s
/* What threads wait for: where in the kernel and in their program they left the CPU, who woke them, where, and how many
   microseconds they were away in all. Source: the provider sched, and tracepoints of interrupts. */
#pragma D summary what threads wait for: their stacks, and those of the threads that wake them
#pragma D flag p process process only threads of this process wait
#pragma D flag t thread process only this thread waits
#pragma D flag u user bool only threads of programs wait, not those of the kernel
#pragma D flag k kernel bool only threads of the kernel wait
#pragma D flag f folded bool each stack on one line, for flame graphs
#pragma D flag m least uint only times of at least this many microseconds
#pragma D flag M most uint only times of at most this many microseconds
#pragma D argument duration period=365d ends after this time
#pragma D example offwaketime -p 1234 10 -- what process 1234 waits for in ten seconds, and who ends it
#pragma D option quiet

inline int PF_KTHREAD = 0x200000; inline int IFF_LOOPBACK = 8;
BEGIN { printf("Time away from a CPU is added up... Ctrl-C ends it.\n"); }

/* In arrays, because a thread's own variables are not available at sched:::on-cpu before Linux 6.4. */
sched:::off-cpu
/($process ? pid == $process : tid) && (!$thread || tid == $thread) && (!$user || !(curthread->flags & PF_KTHREAD)) &&
    (!$kernel || curthread->flags & PF_KTHREAD) && !curthread->exit_state/
{
	left[tid] = timestamp;
	where[tid] = stack(); program[tid] = ustack();
}

/* Stacks in an interrupt are those of the thread that it interrupts, which has nothing to do with it. Only packets to
   this machine are received in the thread that sends them. */
sdt:irq::irq_handler_entry, sdt:timer::hrtimer_expire_entry { hard[cpu] = 1; }
sdt:irq::irq_handler_exit, sdt:timer::hrtimer_expire_exit { hard[cpu] = 0; }
sdt:irq::softirq_entry { soft[cpu] = 1; }
sdt:net::netif_receive_skb /soft[cpu]/ { soft[cpu] = !(args[0]->dev->flags & IFF_LOOPBACK); }
sdt:irq::softirq_exit { soft[cpu] = 0; }

sched:::wakeup
/left[args[0]->pr_lwpid]/
{
	this->id = args[0]->pr_lwpid;
	this->is_interrupt = hard[cpu] || soft[cpu];
	who[this->id] = this->is_interrupt ? "an interrupt" : execname;
	if (!this->is_interrupt) woken[this->id] = stack();
	if (!this->is_interrupt) ended_by[this->id] = ustack();
}

sched:::on-cpu
/left[tid]/
{
	this->ns = timestamp - left[tid];
	left[tid] = 0;
	this->who = who[tid] == "" ? "nothing: its time slice was over" : who[tid];
	if (this->ns >= $least * 1000 && (!$most || this->ns <= $most * 1000))
		@[execname, where[tid], program[tid], this->who, woken[tid], ended_by[tid]] = sum(this->ns);
	who[tid] = 0;
	woken[tid] = 0;
	ended_by[tid] = 0;
}

tick-$duration { exit(0); }
END { normalize(@, 1000); printa("%S%k%k    is woken by %S%k%k%@u us\n\n", @); }
