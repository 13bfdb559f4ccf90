/* Signedness, widths, constants, strings and associative arrays. */
enum level { LOW, HIGH = 10 };
struct point { short x; unsigned y : 5; int z : 11; char name[8]; };
inline string PLACE = "here";
uint8_t small;
string last[int, string];

syscall::write:entry
/arg2 >= HIGH && (uint64_t)arg0 / 2 < 1 << 4/
{
	small = arg2;
	last[small, PLACE] = copyinstr(arg1, 32);
	this->p = (struct point *)copyin(arg1, sizeof (struct point));
	printf("%s %d %d %s", last[small, "here"], this->p->y, this->p->z, this->p->name);
	x = this->p->x >> 1;
	y -= x;
	trace(x > 3 ? PLACE : execname);
}
