/* @@options: -q
 * Control characters may stand in strings and in comments ().
 */
BEGIN
{
	printf("%d %d %d\n", strlen("[1m"), strlen(""), '');
	exit(0);
}
