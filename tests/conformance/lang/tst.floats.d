#pragma D option quiet

/* Floating-point numbers are carried: here from a process's memory and back out. */

struct numbers { float f; double d; int i; };
this struct numbers n;
double kept;
double by_name[string];
union look { uint64_t bits; double d; uint32_t half; float f; };
this union look l;
self union look s;

BEGIN
{
	this->l.bits = 0x400921fb54442d18;
	printf("%f %.2f %e %g\n", this->l.d, this->l.d, this->l.d, this->l.d);
	kept = this->l.d;
	by_name["pi"] = kept;
	this->n.d = by_name["pi"];
	self->s.half = 0xc0200000;
	this->n.f = self->s.f;
	printf("[%10.3f] [%-10.1f] %G\n", kept, this->n.f, this->n.d);
	printf("%g %g %d\n", by_name["none"], this->n.f, sizeof (this->n));
	kept = 0;
	printf("%g\n", kept);
	printf("%f\n", 1 ? this->l.d : kept);
	exit(0);
}
