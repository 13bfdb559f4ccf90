/* What is not found is NULL; a string that was found is not, even an empty one. */
#pragma D option quiet

BEGIN
{
	s = "a,b";
	printf("%d %d\n", strstr(s, "b") != NULL, strstr(s, "c") != NULL);
	printf("%d %d\n", strchr(s, 'a') == NULL, strrchr(s, 'c') == NULL);
	printf("%d %d\n", strchr(s, 0) != NULL, NULL == strstr("", ""));
	printf("%s\n", strstr(s, "c") != NULL ? "found" : "absent");
	printf("%d %d\n", json("{\"e\":\"\"}", "e") != NULL, json("{\"e\":\"\"}", "f") != NULL);
	this->token = strtok(s, ",");
	printf("%d", this->token != NULL);
	this->token = strtok(NULL, ",");
	printf("%d", this->token != NULL);
	this->token = strtok(NULL, ",");
	printf("%d\n", this->token != NULL);
	exit(strstr(execname, "trace") != NULL ? 0 : 1);
}
