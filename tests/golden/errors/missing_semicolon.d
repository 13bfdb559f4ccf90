/* A statement without its end. */
BEGIN
{
	self->start = timestamp
	trace(self->start);
}
