struct task_struct { char pad0[16]; int pid; int tgid; char pad24[8]; struct task_struct *real_parent; char pad40[24]; char comm[16]; };
int16_t g3;
uint32_t g2;
uint8_t g1;
string gx1;
self uint32_t s4;
self int16_t s3;
self uint8_t s2;
self unsigned char s1;
self string sx2;
self string sx1;
this int64_t t3;
this int16_t t2;
this int32_t t1;
this string tx1;
enum color { RED = -3, GREEN, BLUE = 7, BLACK = 1 << 20, WHITE };
enum color e1; self enum color e2; this _Bool e3;
union s0 { short m0; union { unsigned short m1; }; int8_t m2[1]; long long m3[3]; unsigned int m4; union s0 *m5; };
union s1 { double m0; };
union s0 so0;
this union s0 sq0;
union s0 sr0[int];
userland union s0 *up0; self userland union s0 *uq0; this union s0 *lp0;
union s1 so1[3];
self union s1 sp1;
userland union s1 *up1; self userland union s1 *uq1; this union s1 *lp1;
double fd1; self double fd2; float ff1; this float ff2;
unsigned short a2[string];
string a1[unsigned int];
struct t0 { char n0; union s0 n1; short n2; };
translator struct t0 < long I > {
  n0 = ((userland union s0 *)0x100006e8)->m1;
  n1 = so0;
  n2 = (execname < substr(stringof(curthread->comm), 2));
};
syscall:::entry
/((lltostr(this->t3, 6) >= execname) > ntohll((((uint64_t)&curthread->tgid - (uint64_t)curthread), tid)))/
{
  this->sq0.m2[0] = offsetof(union s1, m0);
}
syscall:::entry
{
}
syscall:::entry
{
  g3 = ((--g3) >> (!substr(a1[errno], self->s1, -3)));
  trace(probename);
  a2[a1[(RED & this->t2)]] = ((arg3 & (self->s3 ? self->s2 : this->t3)) <= ((userland union s0 *)(0x10000fa0 + (arg3 & 127)))->m0), self->s3++;
  new0 = ((unsigned char)0 * (3 < arg6)); trace(new0);
}
syscall:::entry
/1/
{
  trace(copyin(args[3], 5));
  @q2[(uint8_t)((up1 + arg2) - (up1 = &up1[0])), ((xlate <struct t0 *> ((execname <= copyinstr(0x10000fc3)))->n1.m2[0] + arg5) ? execname : memstr((userland char *)(0x10000fa0 + ((unsigned short)this->e3 & 127)), 15, a2[probename])), (a1[this->t1] = a1[e1])] = lquantize(((((int)curthread->comm[1] * -17) && this->e3) >= xlate <struct t0 *> ((!(this->e3)))->n2), 0, 100, 10);
  @q3 = lquantize(((-((-(e1)))) > (htonl(1) << (a2[self->sx2] - arg2))), -50, 50, 3);
  printf("p %s \n", ((+(arg7)) ? execname : probemod));
  a2[a1[xlate <struct t0> (self->s2).n2]] *= (((-(this->t1)) + (g2 || a2[a1[this->t2]])) <= ((int16_t)g3 >= htonl(arg8)));
  trace((+((unsigned int)(-10 & -2))));
  @q1[a1[arg7]] = lquantize((!((gx1 > copyinstr(arg9)))), 1, 5);
}
syscall:::entry
{
  this->e3++;
  this->sq0.m4 /= 9;
  a1[(timestamp == timestamp)] = gx1;
}
