#pragma D option quiet

/* vtimestamp runs only while the thread does: not during 60 ms of sleep, and
   for 40 ms of its own CPU time. A machine that is emulated may need much of
   the 60 ms to leave the CPU, when the time of the sleep runs already. The
   kernel's clock of a thread and this one are read at two places of a switch
   of threads: a CPU that stands still between them makes them differ. */
/* @@options: -c "$BUILD/tests/workloads/naps" */
self int n;
self uint64_t t;
self uint64_t v;

syscall::getppid:entry
/pid == $target && self->n == 1/
{
	this->passed = timestamp - self->t;
	this->spent = vtimestamp - self->v;
	printf("asleep: clock %d, on CPU %d\n", this->passed >= 60000000,
	    this->passed - this->spent >= 20000000 ? 1 : this->spent);
}

syscall::getppid:entry
/pid == $target && self->n == 2/
{
	this->passed = timestamp - self->t;
	this->spent = vtimestamp - self->v;
	printf("awake: clock %d, on CPU %d\n", this->passed >= 39000000,
	    this->spent >= 20000000 && this->spent <= this->passed + 1000000 ? 1 : this->spent);
}

syscall::getppid:entry
/pid == $target/
{
	self->t = timestamp;
	self->v = vtimestamp;
	self->n++;
}
