_Bool g2;
long g1;
self long s2;
self int16_t s1;
self string sx1;
this unsigned int t2;
this short t1;
struct in { short w; long long x; int16_t m[2]; }; struct obj { unsigned long a; int b:11; int c:9; unsigned short d; int16_t v[4]; char t[15]; struct in in; };
struct obj o; self struct obj p; this struct obj q;
char a1[unsigned long, long long, char];
syscall:::entry
{
  @q3[((o.a | g2) % (execname < "1234567"))] = lquantize(((long)(self->s2 - (timestamp == timestamp)) <= ((!(this->t1)) || (o.v[(strlen(copyinstr(0x10000fb6)) + 0 * arg0) & 3] ? a1[(self->s2 > arg2), -9, (g1++)] : this->q.b))), -50, 50, 3, ((unsigned char)0 - (a1[self->p.in.x, (this->t2 - self->s1), o.in.m[1]] | 3)));
  trace(copyin(0x10000fc6, 9));
  self->p.in.x >>= this->t2, this->t1++;
}
