/* What a translator or an inline is given may be a structure in a variable, or a value. */
#pragma D option quiet

struct in { int x; int y : 4; char name[8]; };
struct out { int a; int b; string who; };
translator struct out < struct in I > {
	a = I.x * 2;
	b = I.y;
	who = I.name;
};

struct in global;
struct in table[int];

BEGIN
{
	global.x = 4;
	global.y = -2;
	global.name = "global";
	table[7] = global;
	table[7].x = 30;
	table[7].name = "table";
	this->p = (struct in *)alloca(sizeof(struct in));
	*this->p = global;
	this->p->x = 100;
	printf("%d %d %s\n", xlate <struct out> (global).a, xlate <struct out> (global).b,
	    xlate <struct out> (global).who);
	printf("%d %s\n", xlate <struct out> (table[7]).a, xlate <struct out> (table[7]).who);
	printf("%d %s\n", xlate <struct out> (*this->p).a, xlate <struct out> (*this->p).who);
	printf("%d\n", xlate <struct out> (pid > 0 ? table[7] : global).a);
	exit(0);
}
