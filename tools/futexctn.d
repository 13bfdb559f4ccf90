#!/usr/sbin/dtrace -s
/* How long threads wait for locks and conditions of their program: by program, lock and the stack that waits, those
   that wait longest in all first. A lock that is a variable of the program has its name, others their address; a thread
   that waits for the end of another one (pthread_join) waits at an address, too. A lock without contention needs no
   system call, and is not seen. Source: the system call futex(). */
#pragma D summary how long threads wait for locks and conditions of their program
#pragma D flag p process process only in this process
#pragma D flag t thread process only this thread
#pragma D flag l lock uint only at the lock with this address
#pragma D flag j names bool with the functions of programs in Python, Ruby, Java and Node
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D flag T top count only so many stacks, those that wait most often
#pragma D argument duration period=365d ends after this time
#pragma D example futexctn -p 1234 10s -- what the threads of process 1234 wait for
#pragma D option quiet
#pragma D option aggsortrev

/* Operations: include/uapi/linux/futex.h, without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME. */
inline int OPERATION[int op] = op & 0x7f;
inline int WAITS[int op] = op == 0 || op == 6 || op == 9 || op == 11;	/* WAIT, LOCK_PI and their relatives */
inline string UNIT = $milliseconds ? "ms" : "us";

inline int WANTED = $process ? pid == $process : $target ? progenyof($target) : 1;

BEGIN { printf("Waits are timed... Ctrl-C ends it.\n"); }

syscall::futex:entry
/WANTED && (!$thread || tid == $thread) && (!$lock || arg0 == $lock) &&
    WAITS[OPERATION[(int)arg1]]/
{
	self->begin = timestamp;
	self->lock = arg0;
}

/* EAGAIN: the lock was free after all. */
syscall::futex:return
/self->begin && errno != EAGAIN/
{
	this->ns = timestamp - self->begin;
	this->value = this->ns / ($milliseconds ? 1000000 : 1000);
	if ($names) @named[execname, pid, usym(self->lock), jstack(), UNIT] = quantize(this->value);
	else @[execname, pid, usym(self->lock), ustack(), UNIT] = quantize(this->value);
}
syscall::futex:return { self->begin = 0; self->lock = 0; }

tick-$duration { exit(0); }
END
{
	if ($top && $names) trunc(@named, $top);
	else if ($top) trunc(@, $top);
	printa("%S[%d] waits at %A%k%s%@d\n", @named);
	printa("%S[%d] waits at %A%k%s%@d\n", @);
}
