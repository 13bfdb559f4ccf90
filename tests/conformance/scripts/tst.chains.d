/* Chains of subroutines of strings, through variables of every class. */
#pragma D option quiet
#pragma D option strsize=128
this string hex;
self string chain;
string table[string, int];
inline string ROOT = "/usr";
inline string join[string a, string b] = strjoin(a, strjoin("/", b));
inline string ordinal[int n] = strjoin(lltostr(n), n == 1 ? "st" : n == 2 ? "nd" : n == 3 ? "rd" : "th");

BEGIN
{
	this->hex = strjoin("0x", substr(lltostr(0xbeef, 16), 2));
	self->chain = strjoin(strjoin(strjoin(execname, "["), lltostr(pid != 0)), "]");
	self->chain = strjoin(self->chain, strjoin(":", toupper(this->hex)));
	table["chain", 1] = self->chain;
	printf("%s %s %s\n", this->hex, self->chain, table["chain", 1]);
}

BEGIN
{
	this->path = join[join[ROOT, "local//share/../bin"], "dtrace"];
	this->base = basename(this->path);
	this->dir = dirname(cleanpath(this->path));
	printf("%s in %s, %s\n", this->base, this->dir,
	    strstr(this->path, "local") != NULL ? "local" : "system");
	this->tok = strtok(this->path, "/");
	printf("%s", this->tok);
	this->tok = strtok(NULL, "/");
	printf(" %s", this->tok != NULL ? this->tok : "<none>");
	this->tok = strtok("", "/");
	printf(" %s\n", this->tok != NULL ? this->tok : "<none>");
	printf("%d %d %s %s\n", index(this->path, "/"), rindex(this->path, "/"),
	    strchr(this->path, 'l'), toupper(strrchr(this->path, '/')));
	printf("%s %s %s %s\n", ordinal[1], ordinal[2], ordinal[3], ordinal[11]);
	self->chain = 0;
	printf("[%s] %d\n", self->chain, self->chain == NULL);
	exit(0);
}
