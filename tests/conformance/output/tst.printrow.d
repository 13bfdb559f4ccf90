/* Rows with named columns: the header once, columns that grow, what was traced on one line. */
#pragma D option quiet

BEGIN
{
	printrow("PID", (pid_t)7, "COMM", "sh", "LAT(ms) %{ms}.3f", 1234567, "ERR", errname(2));
	printrow("PID", (pid_t)123456789, "COMM", "a\nb\033[2Jlonger than sixteen", "LAT(ms) %{ms}.3f", 9, "ERR",
	    errname(13));
	printrow("PID", (pid_t)8, "COMM", "ls", "LAT(ms) %{ms}.3f", 5000000000, "ERR", errname(0));
	printf("\n");
}

BEGIN
{
	printrow("other", (char)1, "table %-8d", 2, "probe", probename, "%% %05d", -3, "cut %-6.2s", "abcd");
	printrow("PID", (pid_t)9, "COMM", "mv", "LAT(ms) %{ms}.3f", 0, "ERR", errname(1));
	exit(0);
}
