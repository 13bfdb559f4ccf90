/* Typedefs, enumerations, nested structures and unions, as in scripts that keep state. */
#pragma D option quiet
enum mode { READ = 1, WRITE, BOTH = 0x10 };
typedef enum mode mode_e;
typedef struct request {
	mode_e mode;
	unsigned quiet : 1, level : 4;
	union { int i; char c[4]; } u;
	struct { uint64_t first, last; } time;
	string who;
} request_t;

request_t last;
request_t by_cpu[int];
self request_t mine;
this request_t local;
inline string mode_name[mode_e m] = m == READ ? "read" : m == WRITE ? "write" : m == BOTH ? "both" : "none";

BEGIN
{
	last.mode = WRITE;
	last.quiet = 1;
	last.level = 17;
	last.u.i = 0x41424344;
	last.time.first = 100;
	last.time.last = last.time.first + 23;
	last.who = execname;
	by_cpu[cpu] = last;
	by_cpu[cpu].mode = BOTH;
	self->mine = by_cpu[cpu];
	this->local = self->mine;
	this->local.time.last -= this->local.time.first;
}

BEGIN
{
	printf("%s %s %s\n", mode_name[last.mode], mode_name[self->mine.mode], mode_name[by_cpu[-1].mode]);
	printf("%d %d %c%c %d %s\n", this->local.quiet, this->local.level, this->local.u.c[0],
	    this->local.u.c[3], this->local.time.last, this->local.who);
	this->copy = (request_t *)alloca(sizeof(request_t));
	*this->copy = this->local;
	this->copy->level++;
	this->copy->u.c[0] = 'Z';
	printf("%d %d %s %s\n", this->copy->level, this->local.level, stringof(this->copy->u.c),
	    this->copy->who);
	print(last.u);
	print(last.mode);
	exit(0);
}
