#pragma D option quiet

/* Network addresses as text. */
inline int AF_IN = 2;
inline int AF_IN6 = 10;
int family;

BEGIN
{
	this->a = (uint8_t *)alloca(16);
	printf("%s %s %s\n", inet_ntop(AF_IN, this->a), inet_ntop(AF_IN6, this->a), link_ntop(1, this->a));
	this->a[0] = 192;
	this->a[1] = 0;
	this->a[2] = 2;
	this->a[3] = 99;
	this->a[4] = 255;
	this->a[5] = 10;
	printf("%s %s %s\n", inet_ntoa((uint32_t *)this->a), inet_ntop(AF_IN6, this->a), link_ntop(1, this->a));
	this->w = (uint32_t *)this->a;
	this->w[0] = htonl(0x20010db8);
	this->w[1] = 0;
	this->w[2] = htonl(1);
	this->w[3] = htonl(0x10);
	printf("%s %s\n", inet_ntoa6((struct in6_addr *)this->w), inet_ntoa(this->w));
	this->w[1] = htonl(0x10000);
	this->w[3] = 0;
	printf("%s\n", inet_ntop(AF_IN6, this->w));
	this->w[2] = 0;
	printf("%s\n", inet_ntop(AF_IN6, this->w));
}

/* IPv4 within IPv6. */
BEGIN
{
	this->w = (uint32_t *)alloca(16);
	this->w[3] = htonl(0x7f000001);
	printf("%s ", inet_ntop(AF_IN6, this->w));
	this->w[2] = htonl(0xffff);
	printf("%s ", inet_ntop(AF_IN6, this->w));
	this->w[2] = 0;
	this->w[3] = htonl(1);
	printf("%s\n", inet_ntop(AF_IN6, this->w));
	this->w[0] = this->w[1] = this->w[2] = this->w[3] = -1;
	printf("%s %s\n", inet_ntop(AF_IN6, this->w), inet_ntop(AF_IN, this->w));
}

/* A family that is known only at run time. */
BEGIN
{
	family = 2;
	printf("%s ", inet_ntop(family, this->w));
	family = 10;
	@[inet_ntop(family, this->w)] = count();
	printa("%s\n", @);
	trunc(@);
}

BEGIN
{
	family = 3;
	printf("%s\n", inet_ntop(family, this->w));
}

BEGIN { exit(0); }
ERROR { printf("fault %d\n", arg4); }
