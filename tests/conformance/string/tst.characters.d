/* A string has characters, and an address where one is wanted. */
#pragma D option quiet

inline string NAME = "inline";
string kept;
string table[int];
self string own;
char *pointer;

BEGIN
{
	s = "abc";
	self->own = "thread";
	table[1] = "element";
	kept = s;
	printf("%c%c%c %d %d\n", s[0], s[1], s[2], s[3], s[200]);
	printf("%c %c %c %c %c\n", execname[0], probename[4], NAME[2], self->own[5], table[1][6]);
	printf("%c %c %c\n", *s, *(s + 2), *(1 + s));
	printf("%s %s %s %s\n", s + 1, execname + 2, probename + 3, "literal" + 3);
	printf("%d %d %d\n", strlen(s + 1), strlen("literal" + 3), sizeof(s[0]));
	this->n = 4;
	printf("%c %s\n", self->own[this->n], self->own + this->n);
	printf("%d %d\n", s[0] == 'a', strjoin(s, "def")[4] == 'e');
}

BEGIN
{
	pointer = probeprov;
	printf("%s %c\n", stringof(pointer), pointer[2]);
	pointer = kept;
	printf("%s\n", stringof(pointer + 1));
	kept = "changed";
	printf("%s %s\n", stringof(pointer), (string)&kept[2]);
	p = (char *)execname;
	printf("%s %c %s\n", stringof(p), p[1], stringof(&execname[4]));
	printf("%d\n", (char *)curpsinfo->pr_fname != NULL);
	printf("%s\n", (char *)curpsinfo->pr_fname);
	@[s + 2] = count();
	printa("%s %@d\n", @);
	trunc(@);
}

BEGIN
{
	/* What changes a character keeps the rest a string: it ends at its first NUL. */
	this->s = "0123456789";
	this->s[10] = 'x';
	this->s[5] = '\0';
	this->s[0] = 'A';
	this->s[1]++;
	this->s[2] += 2;
	printf("%s %d %d\n", this->s, this->s == "A2434", strlen(this->s));
	self->own[0] = 'T';
	table[1][0] = 'E';
	table[1][7] = 's';
	*(kept + 1) = 'H';
	*kept = 'C';
	printf("%s %s %s\n", self->own, table[1], kept);
	table[2][0] = 'n';
	table[2][1] = 'e';
	x[table[2]] = 1;
	printf("%s %d\n", table[2], x["ne"]);
	exit(0);
}
