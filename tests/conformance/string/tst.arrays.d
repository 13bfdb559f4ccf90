/* The string of an array ends with the array, whatever lies behind it. */
#pragma D option quiet

struct names {
	char four[4];
	char one[1];
	char eight[8];
	int behind;
};

BEGIN
{
	this->p = (struct names *)alloca(sizeof(struct names));
	bcopy("ABCD", this->p->four, 4);
	this->p->one[0] = 'Z';
	bcopy("01234567", this->p->eight, 8);
	this->p->behind = 0x41414141;
	printf("%s|%s|%s|\n", this->p->four, this->p->one, this->p->eight);
	text = this->p->eight;
	printf("%d %d %d\n", text == "01234567", strlen(this->p->four), this->p->one == "Z");
	printf("%s|%s|\n", strjoin(this->p->four, this->p->one), stringof(this->p->eight));
	@[this->p->eight] = count();
	printa("%s %@d\n", @);
	trunc(@);
	this->p->eight[3] = 0;
	printf("%s|%d|\n", this->p->eight, this->p->eight == "012");
	exit(0);
}
