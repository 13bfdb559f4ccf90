/* A translator from a structure by value takes one from a variable, an element or an expression as it takes
   one from memory; floating-point numbers go through translators and inlines. */
#pragma D option quiet
struct in { int w; int z[2]; };
struct seen { int a; int b : 3; struct in n; char text[8]; double d; struct seen *next; };
struct out { int sum; struct in n; string text; double d; struct seen *next; };
translator struct out < struct seen V > {
	sum = V.a + V.b;
	n = V.n;
	text = V.text;
	d = V.d;
	next = V.next;
};
translator struct in < struct in V > { w = V.w + 1; };
struct seen one;
struct seen kept[int];
double number;
inline double NUMBER = one.d;

BEGIN
{
	one.a = 7;
	one.b = -1;
	one.text = "hello";
	kept[2].n.z[1] = 44;
	kept[2].n.w = 8;
	printf("%d %s\n", xlate <struct out> (one).sum, xlate <struct out> (one).text);
	printf("%d\n", xlate <struct out> (kept[2]).n.z[one.n.w + 1]);
	printf("%d\n", xlate <struct out> (one.a == 7 ? kept[2] : one).n.w);
	printf("%d\n", xlate <struct in> (xlate <struct out> (kept[2]).n).w);
	one.n = xlate <struct out> (kept[2]).n;
	printf("%d %d\n", one.n.w, xlate <struct out> (one).next == NULL);
}

BEGIN
{
	this->memory = (struct seen *)alloca(sizeof (struct seen));
	this->words = (uint64_t *)&this->memory->d;
	this->words[0] = 0x4004000000000000;
	printf("%f %d\n", xlate <struct out> (*this->memory).d, xlate <struct out> (*this->memory).sum);
	number = xlate <struct out> (*this->memory).d;
	one.d = number;
	printf("%f %f %f\n", number, xlate <struct out> (one).d, NUMBER);
}

/* A translated thing goes into inlines, and only a pointer and a number can be NULL. */
string last;
struct length { int bytes; int given; };
translator struct length < string S > { bytes = strlen(last = S); given = 1; };
translator struct length < int N > { bytes = N; given = 2; };
inline int sum_of[struct out *o] = o->sum + 100;
inline int bytes_of[struct length *l, int n] = l->bytes + n;
inline int both[struct length *l, struct out *o] = bytes_of[l, 0] * 1000 + sum_of[o];
inline struct length *FIVE = xlate <struct length *> ("fives");

BEGIN
{
	printf("%d %d\n", sum_of[xlate <struct out *> (one)], sum_of[xlate <struct out *> (*this->memory)]);
	printf("%d %d\n", bytes_of[xlate <struct length *> ("four"), 1], bytes_of[FIVE, 1]);
	printf("%d %s\n", both[FIVE, xlate <struct out *> (one)], last);
	printf("%d %d\n", (*FIVE).bytes, (*xlate <struct out *> (one)).sum);
	printf("%d %d %d\n", xlate <struct out *> (one) == NULL, FIVE == NULL, !FIVE);
	printf("%d\n", xlate <struct length> (one.text).bytes);
	printf("%d %d\n", xlate <struct length *> (0) == NULL, xlate <struct length *> (1) ? 1 : 2);
	exit(0);
}
