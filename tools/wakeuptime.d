#!/usr/sbin/dtrace -s
/* Who wakes threads that sleep, where in the kernel, and how many microseconds they slept in all.
   Source: the provider sched, and tracepoints of interrupts. */
#pragma D summary who wakes threads that sleep, and how long they slept
#pragma D flag p process process only threads of this process
#pragma D flag u user bool only threads of programs, not those of the kernel
#pragma D flag f folded bool each stack on one line, for flame graphs
#pragma D flag m least uint only sleeps of at least this many microseconds
#pragma D flag M most uint only sleeps of at most this many microseconds
#pragma D argument duration period=365d ends after this time
#pragma D example wakeuptime -p 1234 10 -- what process 1234 waits for, in ten seconds
#pragma D option quiet

inline int PF_KTHREAD = 0x200000;	/* a thread of the kernel: include/linux/sched.h */
inline int IFF_LOOPBACK = 8;

BEGIN { printf("Sleeps are added up... Ctrl-C ends it.\n"); }

sched:::sleep
/(!$process || pid == $process) && (!$user || !(curthread->flags & PF_KTHREAD)) && !curthread->exit_state/
{
	asleep[tid] = timestamp;
}

/* An interrupt runs on top of a thread that has nothing to do with it. Only packets to this machine are received by the
   thread that sends them. */
sdt:irq::irq_handler_entry, sdt:timer::hrtimer_expire_entry { hard[cpu] = 1; }
sdt:irq::irq_handler_exit, sdt:timer::hrtimer_expire_exit { hard[cpu] = 0; }
sdt:irq::softirq_entry { soft[cpu] = 1; }
sdt:net::netif_receive_skb /soft[cpu]/ { soft[cpu] = !(args[0]->dev->flags & IFF_LOOPBACK); }
sdt:irq::softirq_exit { soft[cpu] = 0; }

sched:::wakeup
/asleep[args[0]->pr_lwpid]/
{
	this->ns = timestamp - asleep[args[0]->pr_lwpid];
	asleep[args[0]->pr_lwpid] = 0;
	this->is_long = this->ns >= $least * 1000 && (!$most || this->ns <= $most * 1000);
	this->waker = hard[cpu] || soft[cpu] ? "an interrupt" : execname;
	if (this->is_long && (hard[cpu] || soft[cpu]))	/* below five frames is the code that is interrupted */
		@[args[1]->pr_fname, this->waker, stack(5)] = sum(this->ns);
	else if (this->is_long)
		@[args[1]->pr_fname, this->waker, stack()] = sum(this->ns);
}

tick-$duration { exit(0); }
END { normalize(@, 1000); printa("%S is woken by %S%k%@u us\n\n", @); }
