#pragma D option destructive

BEGIN
{
	self->spec = speculation();
	speculate(self->spec);
	ftruncate();
}
