#pragma D option quiet
#pragma D option scratchsize=1k

/* Only what was given out can be written, and it can run out. */
/* @@stderr: enabled probe ID 1 .*: out of scratch space in action #1 at .*:8:9\n.*ID 2 .*: out of scratch space in action #2 at */
int n;

BEGIN { alloca(1025); }
BEGIN { this->p = alloca(1000); this->q = alloca(32); }
BEGIN { *(int *)curthread = 0; }
BEGIN { bcopy(curthread->comm, (void *)curthread, 4); }
BEGIN { this->c = (char *)this->p; this->c[999] = 1; this->c[1000] = 1; }
BEGIN { bcopy(this->p, this->p, -1); }
BEGIN { n = -1; alloca(n); }
BEGIN { bcopy((void *)16, this->p, 8); }
BEGIN { copyinto(16, 8, this->p); }
BEGIN { copyin(16, 8); }
BEGIN { copyin(16, 2000); }
BEGIN { exit(0); }
ERROR { printf("clause %d action %d fault %d\n", arg1, arg2, arg4); }
