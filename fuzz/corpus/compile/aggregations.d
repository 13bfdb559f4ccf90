unsigned char g2;
unsigned short g1;
self int32_t s1;
this uint64_t t1;
this string tx1;
self string b[long long, unsigned char];
inline uint8_t il0 = ((40 - -128) - (10 > this->t1));
syscall:::entry
/(g1++)/
{
  if ((g2 = ((34 >= g1) ? (arg9 & il0) : ("\177" <= probeprov)))) {
    self->s1++;
    @q2[""] = stddev(((uint8_t)this->t1 % (il0 < arg1))); clear(@q2);
  } else {
    @q4[probemod] = count();
  }
  self->s1 &= (il0 ? ((char)255 & (-(arg6))) : (copyinstr(0x10000fcf, g1) <= "\377\376"));
  @q4[probeprov] = count();
  g2 <<= (self->b[this->t1, g1] != self->b[18446744073709551615, uid]);
  if (getmajor((args[3] - arg3))) {
    ++this->t1;
    self->s1 ^= (((arg6 < args[1]) >> (g1 < tid)) == (this->t1 = (g1 * self->s1)));
  }
  exit((-(arg1)));
  g1 = ((copyinstr(args[1], -17) != copyinstr(0x10000ffd, il0)) < arg8);
}
syscall:::entry
{
  if (ntohll(((this->t1 == g2), (++this->t1)))) {
    @q1 = llquantize((((++g1) << (short)self->s1) | il0), 2, 0, 30, 2, (+((cpu >= g1))));
    @q3[(unsigned int)self->s1, uaddr((*(unsigned long *)copyin(0x10000fd5, 8))), basename(this->tx1)] = lquantize(arg7, 1, 5);
  } else {
    printf("p \n");
    g2 = ((unsigned char)(g1 = self->s1) ^^ ((1320 - self->s1) || (this->t1, 757272517)));
    @q4[probefunc] = count();
  }
  @q1 = llquantize((-2147483647 - 1), 2, 0, 30, 2, ((arg5 > this->t1), (g2 ^^ g1)));
  g1 = ntohl(g2);
  printf("p %s %i %d \n", ",", (this->tx1 ? (~(rindex(probename, execname, 2))) : htons(g1)), (((this->t1 << arg2) < (!(il0))) << (int64_t)htonl(il0)));
  @q2["c"] = stddev((~(((this->t1 = this->t1) % 7))));
  @q4[probemod] = count();
}
syscall:::entry
{
  self->s1 = il0;
  this->t1 >>= (int)(-9223372036854775807 - 1);
  g1 = ("f0" != memstr((userland char *)arg6, (unsigned int)-13, -3));
}
syscall:::entry
{
  g2 = self->s1;
}
syscall:::entry
{
  g2 <<= ((-((self->s1, this->t1))) ^ ((int64_t)arg8 <= (int)self->s1));
  self->s1 /= self->s1;
  @q1 = llquantize((this->t1 == ((*(unsigned int *)0) ^^ self->s1)), 2, 0, 30, 2, g2);
  printf("p \n");
}
