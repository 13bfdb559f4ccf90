/* Structures, arrays, strings and bit-fields through pointers to scratch memory. */
#pragma D option quiet

struct inner {
	short a[3];
	char name[6];
};

struct outer {
	int first;
	unsigned low : 3;
	int high : 5;
	_Bool set : 1;
	uint64_t wide : 40;
	struct inner in;
	string text;
	struct outer *next;
	struct { int hidden; };
};

struct outer kept;
struct outer by_key[string];
self struct inner mine;
uint8_t address[4];
this char name[8];
this int numbers[4];

BEGIN
{
	this->p = (struct outer *)alloca(2 * sizeof(struct outer));
	this->p->first = -3;
	this->p->low = 13;
	this->p->high = -9;
	this->p->set = 8;
	this->p->wide = 0x123456789a;
	this->p->in.name = "abcdefgh";
	this->p->in.a[1] = 70000;
	this->p->text = "a string";
	this->p->next = this->p;
	this->p->hidden = 77;
	printf("%d %d %d %d %x %s %d %s %d %d\n", this->p->first, this->p->low, this->p->high,
	    this->p->set, this->p->wide, stringof(this->p->in.name), this->p->in.a[1],
	    this->p->text, this->p->next->next->first, this->p->hidden);
	printf("%d %d\n", ++this->p->low, this->p->low--);
	this->p->wide += 1;
	this->p->high <<= 1;
	this->p->low |= 2;
	this->p->set = 0;
	printf("%x %d %d %d\n", this->p->wide, this->p->high, this->p->low, this->p->set);
	kept = *this->p;
	by_key["k"] = *this->p;
	self->mine = this->p->in;
}

BEGIN
{
	/* From variables back to memory. */
	this->q = this->p + 1;
	*this->q = kept;
	this->q->first = 4;
	printf("%d %d %s\n", this->q->first, this->q->low, this->q->text);
	*this->q = by_key["k"];
	this->q->in = self->mine;
	this->q->in.a[2] = 5;
	printf("%d %d %d %s\n", this->q->first, this->q->in.a[1], this->q->in.a[2],
	    stringof(this->q->in.name));
	this->p->in = this->q->in;
	this->p[1] = *this->p;
	printf("%d %d\n", this->p[1].in.a[2], (*this->q).in.a[2]);
	kept = this->p[1] = *this->p;
	printf("%d %s\n", kept.in.a[2], kept.text);
	*this->q = by_key["none"];
	printf("%d [%s]\n", this->q->first, this->q->text);
}

BEGIN
{
	/* An array in a variable, where memory is wanted. */
	address[0] = 127;
	address[3] = 9;
	printf("%s\n", inet_ntop(2, address));
	bcopy("swordfish", this->name, 5);
	printf("%s %c %c\n", stringof(this->name), *this->name, *(this->name + 2));
	this->numbers[1] = 8;
	*this->numbers = 4;
	*(this->numbers + 2) = 2;
	(*(this->numbers + 2))++;
	this->m = (int *)alloca(16);
	bcopy(this->numbers, this->m, 16);
	printf("%d %d %d %d\n", this->m[0], this->m[1], this->m[2], this->m[3]);
	exit(0);
}
