nosuch:::start
{
	trace(args[0]->b_bcount);
}
