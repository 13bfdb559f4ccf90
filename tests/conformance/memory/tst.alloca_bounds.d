#pragma D option quiet

/* What alloca() gives out ends with its last byte, whatever the size is; the next one begins at a multiple of 8. */
/* @@stderr: enabled probe ID 3 .*: invalid address .* in action #2 at .*:12:38\n */
BEGIN { this->p = (char *)alloca(8); this->p[-1] = 1; }
BEGIN
{
	this->p = (char *)alloca(5);
	this->p[4] = 1;
	printf("%d\n", this->p[4]);
}
BEGIN { this->p = (char *)alloca(5); *(this->p + 5) = 1; }
BEGIN { this->p = (char *)alloca(5); *(short *)(this->p + 4) = 1; }
BEGIN { this->p = (char *)alloca(5); bcopy(curthread->comm, this->p, 6); }
BEGIN { this->p = (char *)alloca(0); this->p[0] = 1; }
BEGIN { this->p = (char *)alloca(8); this->p[8] = 1; }
BEGIN { this->n = (int *)alloca(6); this->n[1] = 1; }
BEGIN
{
	this->a = (char *)alloca(1);
	this->b = (char *)alloca(3);
	this->c = (char *)alloca(16);
	bcopy(curthread->comm, this->c, 16);
	printf("%d %d %d %s\n", (uintptr_t)this->b % 8, this->b - this->a, this->c - this->b, stringof(this->c));
	exit(0);
}
ERROR { printf("clause %d action %d fault %d\n", arg1, arg2, arg4); }
