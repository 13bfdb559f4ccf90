/* Structures, unions and bit-fields in scratch memory and in variables.
 * @@host
 */
#pragma D option quiet
struct point { int x; int y; };
union word { uint32_t all; uint8_t bytes[4]; struct { uint16_t low; uint16_t high; } halves; };
struct flags { unsigned int a:1; unsigned int b:3; unsigned int c:12; int d:4; };
typedef struct rec { char name[16]; struct point at; union word w; struct flags f; struct rec *next; } rec_t;
struct point origin;
rec_t rec;
enum shape { CIRCLE, SQUARE = 4, TRIANGLE };
BEGIN
{
	origin.x = 3; origin.y = -4;
	this->p = (struct point *)alloca(sizeof(struct point));
	this->p->x = origin.x * 2;
	this->p->y = origin.y * 2;
	printf("%d %d %d %d\n", origin.x, origin.y, this->p->x, this->p->y);
	this->w = (union word *)alloca(sizeof(union word));
	this->w->all = 0x01020304;
	printf("%x %x %x %x\n", this->w->bytes[0], this->w->bytes[3], this->w->halves.low, this->w->halves.high);
	this->f = (struct flags *)alloca(sizeof(struct flags));
	this->f->a = 1; this->f->b = 5; this->f->c = 0xabc; this->f->d = -3;
	printf("%d %d %x %d\n", this->f->a, this->f->b, this->f->c, this->f->d);
	this->f->b = 9;
	printf("%d %d\n", this->f->b, this->f->a);
	printf("%d %d %d %d\n", sizeof(struct point), sizeof(union word), sizeof(struct flags), sizeof(rec_t));
	printf("%d %d %d\n", offsetof(rec_t, at), offsetof(rec_t, f), offsetof(rec_t, next));
	printf("%d %d %d\n", CIRCLE, SQUARE, TRIANGLE);
	rec.at.x = 9; rec.name[0] = 'h'; rec.name[1] = 'i'; rec.w.all = 0xff00; rec.f.b = 7;
	printf("%d %s %x %d %d\n", rec.at.x, stringof(rec.name), rec.w.bytes[1], rec.f.b, rec.next == NULL);
	this->copy = rec.at;
	rec.at.x = 10;
	printf("%d %d\n", this->copy.x, rec.at.x);
	print(rec.at);
	print(this->copy);
	print((enum shape)4);
	exit(0);
}
