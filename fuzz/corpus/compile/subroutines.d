BEGIN
{
	path = "/usr/lib/libc.so.6";
	printf("%s %s %d\n", basename(path), dirname(path), strlen(path));
	printf("%s %d\n", strstr(path, "libc") != NULL ? "the library" : "another", index(path, "lib"));
	first = strtok(path, "/");
	second = strtok(NULL, "/");
	printf("%s\n", strjoin(toupper(first), substr(second, -2)));
	printf("%s\n", json("{\"pid\": 7, \"name\": {\"short\": \"cat\"}}", "name.short"));
	exit(0);
}
