/* The types of a program, by its debugging information, read from its memory. */
/* @@options: -q -c "$BUILD/tests/workloads/types" */
syscall::write:entry
/pid == $target && arg0 == 99/
{
	this->o = (struct a.out`outer *)arg1;
	printf("%d %d %d %d\n", sizeof(struct a.out`outer), this->o->a, this->o->b, this->o->c);
	printf("%s %d %d %d %d\n", stringof(this->o->tag), this->o->whole, this->o->low, this->o->high, this->o->color);
	printf("%d %s %d %s\n", this->o->list->value, stringof(this->o->list->name), this->o->list->next->value, stringof(this->o->list->next->name));
	printf("%s %s\n", stringof(this->o->names[0]), stringof(*(this->o->names + 1)));
	printf("%d %d\n", this->o->grid[1][2], this->o->yes);
	this->n = (a.out`node_t *)this->o->list;
	printf("%d\n", this->n->next->next == NULL);
	this->pp = (struct a.out`node **)&this->o->list;
	printf("%d\n", (*this->pp)->value);
}

syscall::write:entry
/pid == $target && arg0 == 99/
{
	/* Three stars, and all of it in user memory. */
	this->names = ((struct a.out`outer *)arg1)->names;
	this->more = (userland char ***)&((struct a.out`outer *)arg1)->names;
	printf("%s\n", stringof(this->more[0][1]));
	/* Scripts of other systems copy first. */
	this->copy = (struct a.out`outer *)copyin(arg1, sizeof(struct a.out`outer));
	printf("%d %d %d %s\n", this->copy->a, this->copy->low, this->copy->list->value, stringof(this->copy->list->name));
	printf("%c\n", *(userland char *)copyin(arg1, 1));
	/* ... and keep the copy, whose type is the program's, and which is scratch memory. */
	this->kept = copyin(arg1, sizeof(struct a.out`outer));
	this->in = (struct a.out`outer *)this->kept;
	printf("%d %s %d %d %s\n", ((struct a.out`outer *)this->kept)->a, stringof(this->in->tag), this->in->low, this->in->list->value, stringof(this->in->list->name));
	this->place = alloca(sizeof(struct a.out`outer));
	copyinto(arg1, sizeof(struct a.out`outer), this->place);
	printf("%d %s\n", ((struct a.out`outer *)this->place)->grid[1][2], ((struct a.out`outer *)this->place)->tag);
	printf("%d %d\n", offsetof(struct a.out`outer, tail), offsetof(struct a.out`outer, high));
	exit(0);
}
