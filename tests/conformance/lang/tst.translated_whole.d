/* A translated structure as a whole, casts of structures, NULL, and members given twice. */
#pragma D option quiet

struct input { int x; struct input *next; };
struct part { short a; short b; };
struct output {
	int y;
	string text;
	char name[4];
	unsigned int bits : 3;
	struct part in;
	int twice;
	int untouched;
	int missing;
};
translator struct part < int I > { a = I; b = I + 1; };
translator struct output < struct input T > {
	y = ((struct input)T).x;
	text = "hello";
	name = "abcdefg";
	bits = T.x + 1;
	in = xlate <struct part> (T.x);
	twice = 1;
	twice = 2;
};
translator struct output < struct input *P > {
	y = P->x;
	text = P == NULL ? "none" : "some";
	untouched = 7;
};

struct input in;
struct output out;
struct output by_key[int];

BEGIN
{
	in.x = 5;
	printf("%d %d\n", xlate <struct output> (in).y, ((struct input)in).x);
	out = xlate <struct output> (in);
	printf("%d %s %s %d %d %d %d\n", out.y, out.text, stringof(out.name), out.bits, out.in.b, out.twice, out.missing);
	in.x = 6;
	fresh = xlate <struct output> (in);
	by_key[1] = xlate <struct output> (in);
	printf("%d %d %d\n", fresh.y, by_key[1].in.a, out.y);
	print(xlate <struct output> (in));
	print(*xlate <struct output *> (in));
	printf("%d %s\n", xlate <struct output *> ((struct input *)NULL)->untouched,
	    xlate <struct output> ((struct input *)NULL).text);
	printf("%d %d\n", xlate <psinfo_t *> ((struct task_struct *)NULL)->pr_addr,
	    xlate <lwpsinfo_t *> ((struct task_struct *)NULL)->pr_addr);
	me = *curpsinfo;
	printf("%d %s %d\n", me.pr_pid == pid, me.pr_fname, me.pr_addr == curpsinfo->pr_addr);
	exit(0);
}
