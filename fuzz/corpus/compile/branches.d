long g1;
string gx1;
self int s1;
self string sx2;
self string sx1;
this unsigned char t1;
this string tx2;
this string tx1;
syscall:::entry
/(ntohs((301, 4294967295)), (htons(this->t1) >> (0, self->s1)))/
{
  if (self->s1) {
    this->t1 = ((*(unsigned short *)0x1000000000000), this->t1);
    printf("p \n");
  } else {
    self->sx2 = NULL;
    gx1 = execname;
  }
  self->s1 &= ((-6 ? execname : self->sx2) == (gx1 = copyinstr(0x10000fe0))), ++this->t1;
  g1--;
  @q2 = stddev(g1);
  trace((self->s1 & ((this->t1 == arg7) != (self->s1 ? arg5 : g1))));
}
syscall:::entry
{
  g1 ^= (((--self->s1) & (probemod != probename)) & ((arg9, this->t1) < (" -0x7fZ" == probefunc)));
  self->s1 = ((self->s1 = (14237294 * this->t1)) >> ((256 - self->s1) / (g1 == '\377')));
}
syscall:::entry
{
  self->s1 |= (uint8_t)((~(cpu)) % (strchr(gx1, epid) == NULL));
}
syscall:::entry
{
  trace((unsigned int)((self->s1 - -16) ? (short)g1 : (this->t1--)));
  self->sx1 = copyinstr(0x10000fd2, htonll((-7 / g1)));
  g1 ^= (long)((*(userland short *)0x10000ff4), (self->s1 ^ 4)), ++self->s1;
  this->t1 = (this->t1--);
  @q2 = stddev(1871);
  self->s1 = (uint64_t)(+((_Bool)g1));
}
syscall:::entry
/(((self->s1 < 'a') ^ (self->s1 - args[1])) << (+(("[7, {\"a\": [true, \"x\"]}]" > self->sx2))))/
{
  this->t1 = (!execname);
}
syscall:::entry
{
  printf("p %s \n", copyinstr((-(g1)), self->s1));
  g1 = (uint8_t)g1;
  trace(g1);
  @q2 = stddev(((this->t1 = (this->t1 > (timestamp != 0))), (-((1664354070 & (timestamp != 0))))));
  trace((!(((uint32_t)g1 << (+(self->s1))))));
}
