#pragma D option quiet

/* Structures, unions and arrays in variables of every class. */

struct inner { short s; char c; };
struct thing {
	int a;
	unsigned b:3;
	int c:5;
	char name[12];
	struct inner in;
	int v[4];
};
union both { uint32_t word; uint8_t byte[4]; };

struct thing g;
struct thing by_name[string];
self struct thing t;
self struct inner mine[int];
this struct thing l;
this union both u;
char text[16];
int grid[2][3];

BEGIN
{
	g.a = 3;
	g.b = 9;
	g.c = -3;
	g.name = "hello";
	g.in.s = -5;
	g.in.c = 'x';
	this->i = 1;
	g.v[2] = 7;
	g.v[this->i] = 11;
	g.v[this->i + 2]++;
	printf("%d %d %d %s %d %c\n", g.a, g.b, g.c, g.name, g.in.s, g.in.c);
	printf("%d %d %d %d\n", g.v[0], g.v[1], g.v[2], g.v[3]);
	grid[1][this->i] = 12;
	printf("%d %d\n", grid[1][1], grid[0][1]);
}

BEGIN
{
	by_name["k"].a = 5;
	by_name["k"].a += 4;
	by_name["k"].in = g.in;
	printf("%d %d %d\n", by_name["k"].a, by_name["k"].in.s, by_name["none"].a);
	by_name["k"] = 0;
	printf("%d\n", by_name["k"].a);
	self->t = g;
	self->t.b++;
	self->mine[7].s = 70;
	printf("%d %d %d\n", self->t.b, g.b, self->mine[7].s);
	this->l = self->t;
	this->l.v[this->i] *= 2;
	this->u.word = 0x01020304;
	this->u.byte[1] = 9;
	printf("%d %d %x\n", this->l.v[1], self->t.v[1], this->u.word);
}

BEGIN
{
	/* this-> goes on; the other clauses wrote it. */
	printf("%s %d %d\n", this->l.name, this->l.in.s, sizeof (this->l));
	text = "0123456789abcdefgh";
	printf("[%s] %c\n", text, text[3]);
	text[1] = 'X';
	text[this->i + 2] = 0;
	printf("[%s] %d %d\n", text, text == "0X2", text < "1");
	this->copy = text;
	text[0] = 'z';
	printf("%s %s\n", this->copy, text);
	tracemem(text, 6);
	trace(g.in);
}

BEGIN
{
	cred = *curthread->cred;
	this->se = curthread->se;
	printf("\n%d %d\n", cred.uid.val, this->se.vruntime <= curthread->se.vruntime);
}

BEGIN
{
	this->k = 4;
	printf("never %d\n", g.v[this->k]);
}

BEGIN
{
	exit(0);
}

ERROR
{
	printf("fault %d at %d\n", arg4, arg5);
}
