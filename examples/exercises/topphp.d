#!/usr/sbin/dtrace -qs
/*
 * Exercise 7: the functions of a server in PHP: how often each is called for each page, and how long it takes in the mean,
 * in microseconds, with the functions that it calls.
 *
 *     topphp.d -p PID           of a PHP that was started with USE_ZEND_DTRACE=1
 */

BEGIN
{
	printf("Tracing; Ctrl-C ends it.\n");
}

php$target:::request-startup
{
	self->uri = copyinstr(arg1);
}

php$target:::function-entry
{
	self->depth++;
	self->since[self->depth] = timestamp;
}

php$target:::function-return
/self->depth/
{
	this->class = copyinstr(arg3);
	this->name = strjoin(this->class, strjoin(this->class == "" ? "" : "::", copyinstr(arg0)));
	this->took = timestamp - self->since[self->depth];
	@calls[self->uri, this->name] = count();
	@took[self->uri, this->name] = avg(this->took / 1000);
	self->depth--;
}

END
{
	printf("%-24s %-24s %8s %10s\n", "PAGE", "FUNCTION", "CALLS", "MEAN");
	printa("%-24s %-24s %@8d %@10d\n", @calls, @took);
}
