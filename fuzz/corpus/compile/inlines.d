#pragma D option strsize=20
unsigned int g2;
char g1;
self short s3;
self int64_t s2;
self uint16_t s1;
self string sx1;
this int8_t t2;
this int16_t t1;
inline long long il0[int16_t I0, int I1, _Bool I2] = ((uint8_t)331515769 >> (char)this->t2);
inline short il1[string I0] = ((~(il0[(g1 = self->s1), (this->t1 <= 281428), (-(self->s2))])) >= (this->t2, 3));
syscall:::entry
{
  trace(copyin((this->t1 << self->s3), 7));
  self->sx1 = NULL;
  self->sx1 = execname;
  @q1 = lquantize(((int64_t)arg2 ^ (-(608))), 2147400000, 2147483647, 1000, ((4 <= args[2]) - (*(char *)copyin(0x10000fd4, 8))));
  ++this->t2;
  @q1 = lquantize((il1[copyinstr(arg0)] & (+((this->t1 == self->s2)))), 2147400000, 2147483647, 1000, (+((il1[copyinstr(0x10000ffc, g1)] >= g2))));
}
