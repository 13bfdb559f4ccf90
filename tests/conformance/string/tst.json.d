#pragma D option quiet

BEGIN
{
	s = "{ \"a\" : { \"b\": [1, -2.5e3, {\"c\":\"x\\\"y\"}]}, \"t\":true, \"n\" :null, \"ab\": 1 }";
	i = "b.1";
	printf("%s %s %s\n", json(s, "a.b[0]"), json(s, strjoin("a.", i)), json(s, "a.b[2].c"));
	printf("%s %s %s %s\n", json(s, "a.b[2]"), json(s, "t"), json(s, "n"), json(s, "ab"));
	printf("%s %s\n", json("[[10], 20]", "[1]"), json("[[10], 20]", "0.0"));
	printf("%d%d%d%d\n", json(s, "x") == NULL, json(s, "a.c") == NULL, json(s, "t.u") == NULL,
	    json(s, "a.b[3]") == NULL);
	printf("[%s] [%s]\n", this->absent = json("{\"a\": 0x10, \"b\": 1}", "b"), json("{\"b\": 1, oops", "b"));
	exit(0);
}
