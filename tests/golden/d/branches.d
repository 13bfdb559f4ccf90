/* Branches that record become parts; those that do not stay where they are. */
int total;

BEGIN
{
	if (total > 10) {
		trace("many");
	} else if (total > 5) {
		@few = count();
	} else {
		printf("%d of %s\n", total, execname);
	}
	total++;
}

END
{
	if (total) {
		@seen[total % 2 ? "odd" : "even"] = sum(total);
	}
}
