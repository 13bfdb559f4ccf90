#!/usr/sbin/dtrace -qs
/*
 * Exercise 6: how long a program waits for mutexes, by the function that takes one, in nanoseconds; and for which mutexes
 * it has waited more than a millisecond.
 *
 *     mtxtime.d -c COMMAND
 */

pid$target:libc.so.6:pthread_mutex_lock:entry
{
	self->mutex = arg0;
	self->asked = timestamp;
}

pid$target:libc.so.6:pthread_mutex_lock:return
/self->mutex/
{
	@times[ufunc(ucaller)] = quantize(timestamp - self->asked);
	@taken[self->mutex] = count();
	@slow[self->mutex] = sum(timestamp - self->asked > 1000000 ? 1 : 0);
	self->mutex = 0;
}

END
{
	printa(@times);
	printf("%-18s %8s %8s\n", "MUTEX", "TAKEN", "SLOW");
	printa("0x%-16x %@8d %@8d\n", @taken, @slow);
}
