/* A variable keeps 64 bits, whatever its first assignment was; a record and a cast are narrow. */
#pragma D option quiet

int declared;
unsigned char small;
_Bool truth;

BEGIN
{
	start = 0;
	self->start = 0;
	table["a"] = 0;
	self->table["a"] = 0;
}

BEGIN
{
	this->start = 0;
	start = timestamp;
	self->start = timestamp;
	this->start = timestamp;
	table["a"] = timestamp;
	self->table["a"] = timestamp;
	printf("%d %d %d %d %d\n", timestamp - start, timestamp - self->start, timestamp - this->start,
	    timestamp - table["a"], timestamp - self->table["a"]);
}

BEGIN
{
	declared = 0x100000001;
	printf("%d %d %d\n", declared, declared == 1, (int)declared == 1);
	declared += 0xffffffff;
	printf("%d %x\n", declared == 0x200000000, (int64_t)declared);
	small = 255;
	small++;
	printf("%d %d\n", small, small == 256);
	truth = 256;
	truth += 5;
	printf("%d\n", truth == 1);
	truth++;
	printf("%d\n", truth == 1);
	exit(0);
}
