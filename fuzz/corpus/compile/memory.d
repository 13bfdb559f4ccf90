struct pair { int low; int high; };

BEGIN
{
	this->p = (struct pair *)alloca(2 * sizeof(struct pair));
	this->p->low = 3;
	this->p->high = this->p->low++ * 5;
	this->p[1] = *this->p;
	printf("%d %d\n", this->p[1].low, this->p[1].high);
}

BEGIN
{
	this->name = (char *)alloca(8);
	bcopy(curthread->comm, this->name, 7);
	this->name[0] = 'D';
	printf("%s\n", stringof(this->name));
	exit(0);
}
