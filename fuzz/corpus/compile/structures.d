int g1;
string gx1;
self uint32_t s2;
self uint32_t s1;
self string sx2;
self string sx1;
this uint32_t t1;
enum color { RED = -3, GREEN, BLUE = 7, BLACK = 1 << 20, WHITE };
enum color e1; self enum color e2; this _Bool e3;
struct s0 { uint64_t m0; };
struct s1 { float m0; struct s0 *m1; int64_t m2:5; long m3; unsigned short m4; };
struct s2 { short m0:2; float m1; enum color m2; uint32_t m3; struct s0 m4[2]; };
struct s0 so0[1];
self struct s0 sp0;
userland struct s0 *up0; self userland struct s0 *uq0; this struct s0 *lp0;
struct s1 so1[3];
self struct s1 sp1;
struct s1 sr1[int];
userland struct s1 *up1; self userland struct s1 *uq1; this struct s1 *lp1;
struct s2 so2;
self struct s2 sr2[int];
userland struct s2 *up2; self userland struct s2 *uq2; this struct s2 *lp2;
double fd1; self double fd2; float ff1; this float ff2;
short a2[uint8_t, uint8_t];
long a1[uint16_t, string];
syscall:::entry
{
  @q2 = lquantize((uint16_t)((gid != a1[(++a2[(gid << self->s1), this->t1]), "0"]) ^ (id & a2[e1, self->s1])), 0, 100, 10);
  printf("p %-5x \n", (!((+(rindex(" -0x7fZ", self->sx1))))));
  trace(copyin(0x10000feb, 3));
  a1[(unsigned long)self->sp0.m0, execname] = ((self->uq0)->m0 & (!(e1)));
}
