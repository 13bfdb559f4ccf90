#pragma D option quiet

/* Scratch memory: written by pointer and by bcopy(), read as any memory. */
struct item { int x; int y; char tag[8]; struct item *next; };

BEGIN
{
	this->p = (struct item *)alloca(sizeof(struct item));
	this->p->x = 5;
	this->p->y = -7;
	this->p->tag[0] = 'h';
	this->p->tag[1] = 'i';
	this->p->next = this->p;
	this->p->next->x += 10;
	this->p->y++;
	printf("%d %d %s %d\n", this->p->x, this->p->y, stringof(this->p->tag), this->p->next->next->y--);
}

/* A pointer holds for the whole firing, and what is given out is zero. */
BEGIN
{
	this->q = (struct item *)alloca(sizeof(struct item));
	printf("[%d %s]\n", this->q->x, stringof(this->q->tag));
	bcopy(this->p, this->q, sizeof(struct item));
	printf("%d %d %s\n", this->q->x, this->q->y, stringof(this->q->tag));
	bcopy(curthread->comm, this->q->tag, 6);
	printf("%s\n", stringof(this->q->tag));
	tracemem(this->q, 16);
}

BEGIN
{
	this->m = memref(this->p, 16);
	printf("%d %d\n", this->m[1], this->m[0] == (uintptr_t)this->p);
	this->n = 3;
	this->a = (short *)alloca(this->n * sizeof(short));
	this->a[this->n - 1] = 70000;
	printf("%d %d\n", this->a[2], *this->a);
	exit(0);
}
