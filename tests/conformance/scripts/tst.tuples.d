/* Arrays by tuples, self-> and this->, and a state machine of ticks.
 * @@host
 * @@status: 3
 */
#pragma D option quiet
int counts[string, int, char];
self int depth;
this int tmp;
uint64_t when[int];
BEGIN
{
	counts["a", 1, 'x'] = 5;
	counts["a", 1, 'y'] = 6;
	counts["a", 2, 'x']++;
	counts["b", 1, 'x'] += counts["a", 1, 'x'] + 2;
	printf("%d %d %d %d %d\n", counts["a", 1, 'x'], counts["a", 1, 'y'], counts["a", 2, 'x'], counts["b", 1, 'x'], counts["b", 9, 'x']);
	counts["a", 1, 'x'] = 0;
	printf("%d\n", counts["a", 1, 'x']);
	self->depth++; self->depth++;
	this->tmp = self->depth * 10;
	printf("%d %d\n", self->depth, this->tmp);
	self->list[1, "k"] = 7;
	printf("%d %d\n", self->list[1, "k"], self->list[2, "k"]);
	when[0] = timestamp;
	i = 0;
}
BEGIN
{
	printf("%d %d %d\n", this->tmp, self->depth, when[0] > 0);
}
tick-10ms
/i < 3/
{
	i++;
	printf("tick %d\n", i);
	counts["t", i, 'z'] = i * i;
}
tick-10ms
/i == 3/
{
	printf("%d %d %d\n", counts["t", 1, 'z'], counts["t", 2, 'z'], counts["t", 3, 'z']);
	exit(i);
}
END
{
	printf("end %d\n", i);
}
