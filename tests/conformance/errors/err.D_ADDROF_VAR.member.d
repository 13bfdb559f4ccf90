struct point { int x; int y; };
struct point p;

BEGIN
{
	trace(&p.y);
}
