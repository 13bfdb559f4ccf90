/* Parts of variables have addresses; what a pointer of them reads is what the variable holds now. */
#pragma D option quiet

struct inner {
	char tag[8];
	short low;
};

struct outer {
	int first;
	struct inner in;
	int last[3];
};

int numbers[3];
int more[2];
struct outer whole;
struct outer by_key[string];
self int own[3];
this int local[3];
this struct outer part;

BEGIN
{
	numbers[1] = 42;
	p = &numbers[0];
	q = numbers;
	printf("%d %d %d %d\n", *(p + 1), p[1], *(numbers + 1), ((int *)numbers)[1]);
	numbers[1] = 43;
	printf("%d %d %d\n", *(p + 1), q == p, &numbers[2] - &numbers[0]);
	*p = 5;
	p[2] = 7;
	*(q + 1) += 1;
	p[2]++;
	printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], more[0]);
	this->i = 2;
	printf("%d\n", *&numbers[this->i]);
}

/* The pointer lives as long as the variable. */
BEGIN
{
	printf("%d\n", p[2]);
	whole.in.tag = "tagged";
	whole.last[2] = 9;
	r = &whole.last[0];
	s = &whole.in;
	t = &s->low;
	*t = -3;
	printf("%d %d %s %s\n", r[2], whole.in.low, s->tag, stringof(&whole.in.tag[3]));
	s->tag[0] = 'T';
	*(char *)&whole.in.tag[1] = 'A';
	printf("%s\n", stringof(whole.in.tag));
	bcopy("copied", &whole.in.tag[0], 7);
	this->length = 4;
	bcopy("again", &whole.in.tag[0], this->length);
	printf("%s %d\n", stringof(whole.in.tag), whole.in.low);
	*s = *(struct inner *)&whole.in;
	whole.in = *s;
	printf("%s\n", stringof(whole.in.tag));
}

BEGIN
{
	self->own[2] = 6;
	self->p = &self->own[1];
	printf("%d\n", self->p[1]);
	self->own[2] = 16;
	printf("%d\n", self->p[1]);
	this->local[2] = 8;
	this->p = &this->local[0];
	printf("%d\n", this->p[2]);
	this->local[2] = 18;
	printf("%d\n", this->p[2]);
	this->part.in.low = 4;
	this->low = &this->part.in.low;
	printf("%d\n", *this->low);
	by_key["a"].in.low = 11;
	this->low = &by_key["a"].in.low;
	printf("%d\n", *this->low);
	printf("%s %d\n", inet_ntop(2, (uint8_t *)numbers), strlen(stringof((char *)&whole.in.tag)));
}

/* Only global variables are written by their addresses. */
BEGIN { this->p = &this->local[0]; *this->p = 1; printf("not this\n"); }
BEGIN { *self->p = 1; printf("nor this\n"); }
BEGIN { this->low = &by_key["none"].in.low; printf("%d\n", *this->low); }
BEGIN { p[300000] = 1; printf("nor that\n"); }
BEGIN { printf("%d %d\n", this->local[0], self->own[0]); exit(0); }

ERROR
{
	printf("fault %d\n", arg4);
}
