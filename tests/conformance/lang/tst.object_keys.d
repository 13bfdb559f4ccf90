/* Structures and arrays are keys, by their bytes. */
#pragma D option quiet

struct place { int x; int y; };
struct place here;
self struct place there;
struct place pairs[int];
int declared[struct place, string];
int cells[2];

BEGIN
{
	here.x = 3;
	there[here] = 30;
	here.y = 4;
	there[here] = 34;
	self->there.x = 3;
	printf("%d %d\n", there[here], there[self->there]);
	here.y = 0;
	printf("%d\n", there[here]++);
	printf("%d\n", there[self->there]);
	declared[here, "a"] = 5;
	declared[self->there, "a"] += 5;
	printf("%d %d\n", declared[here, "a"], declared[here, "b"]);
	pairs[7].x = 3;
	self->seen[pairs[7]] = 1;
	printf("%d %d\n", self->seen[here], self->seen[pairs[8]]);
	by_cells[cells] = 1;
	cells[1] = 9;
	by_cells[cells] = 2;
	cells[1] = 0;
	printf("%d\n", by_cells[cells]);
	links[curthread->tasks] = 6;
	printf("%d\n", links[curthread->tasks]);
	there[here] = 0;
	printf("%d\n", there[here]);
}

BEGIN
{
	@places[here] = count();
	here.y = 2;
	@places[here] = count();
	@places[here] = count();
	@pairs[here, 1] = sum(4);
	printa(@places);
	exit(0);
}
