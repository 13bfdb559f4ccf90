#pragma D option quiet
/* What tests/recordings/v1.dtr has recorded. */
BEGIN
{
	printf("%s %d %x\n", "a record", -5, (uint16_t)0xffff);
	printrow("NAME", execname, "VALUE", 7);
	@counts["one"] = count();
	@counts["two"] = count();
	@sums = sum(2);
	@sizes = quantize(1000);
	@linear[1] = lquantize(7, 0, 10, 2);
	@log[2] = llquantize(70, 10, 0, 2, 20);
	@average["key"] = avg(10);
	@spread = stddev(3);
	@least = min(-4);
	@most = max(9);
}

BEGIN
{
	printa("%-10s %@d\n", @counts);
	clear(@counts);
	normalize(@most, 3);
}

BEGIN
{
	trace((int)*(int *)0);
}

BEGIN
{
	self->s = speculation();
	speculate(self->s);
	printf("speculated\n");
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	setopt("aggsortrev");
	@counts["three"] = count();
}

syscall::getppid:entry
/pid == $target/
{
	@stacks[ustack(2)] = count();
	@functions[usym(ucaller), func(caller)] = count();
	@users[username(uid), errname(2), signame(15)] = count();
}

END
{
	printf("the end\n");
	exit(4);
}
