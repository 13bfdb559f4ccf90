/* A condition that is known when the script is compiled divides no record, whatever else is in it:
 * each clause makes one row. Operands that do something, or may fault, are evaluated as before.
 * @@stderr: invalid address
 */
#pragma D option bare
#pragma D flag f flag bool an option that is not set
#pragma D flag n name string another one
int n, *nothing;

BEGIN
{
	trace("a");
	if ($flag && n == 3)
		trace("no");
	trace("b");
	if (n == 3 && 0)
		trace("no");
	if ($name != "" && execname == $name)
		trace("no");
	if (!(n || 1))
		trace("no");
	trace("c");
}

BEGIN
{
	if (n || 1)
		trace("d");
	if (!$flag || n == 3)
		trace("e");
	if ($name == "" || execname == $name)
		trace("f");
	if ($flag ? n == 3 : 1)
		trace("g");
	if (n == 3)
		if ($flag && n)
			trace("no");
	trace("h");
}

/* n++ happens, and an address is read. */
BEGIN
{
	if (n++ && 0)
		trace("no");
	if (n++ || 1)
		trace(n);
}

BEGIN
{
	if (*nothing || 1)
		trace("no");
}

BEGIN
{
	this->text = (char *)1;
	if (this->text == "x" && 0)
		trace("no");
}

BEGIN
{
	if (0 && *nothing)
		trace("no");
	if (0 && n++)
		trace("no");
	trace(n);
	exit(0);
}

ERROR
{
	trace("fault");
}
