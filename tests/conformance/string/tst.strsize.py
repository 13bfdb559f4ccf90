# Strings longer than a window are searched window by window: a little longer, and up to the longest.
import os
import subprocess
import sys

# strsize, the bytes of text before "/The end", and a place in it to search from
SIZES = [(1000, 512, 5), (4096, 2048, 1448), (65536, 32768, 32168)]

SCRIPT = """
BEGIN
{
	s = "0123456789abcdef";
	%(doublings)s
	s = strjoin(s, "/The end");
	printf("%%d %%s %%s\\n", strlen(s), basename(s), substr(s, -7));
	printf("%%d %%d %%d %%d\\n", index(s, "The"), index(s, "f012345678"), rindex(s, "f012345678"), rindex(s, "012"));
	printf("%%d %%d %%d\\n", index(s, "f01", %(half)d), rindex(s, "f01", %(half)d), index(s, "nowhere"));
	printf("%%d %%d\\n", index(s, "The end", %(place)d), rindex(s, "nowhere to go"));
	printf("%%d %%s %%s\\n", strlen(dirname(s)), strstr(s, "end"), strchr(s, '/'));
	printf("%%s %%s\\n", strrchr(toupper(s), '/'), strchr(tolower(s), '/'));
	u = toupper(s); t = tolower(u);
	printf("%%s %%s %%d %%d\\n", substr(u, %(text)d - 8, 8), substr(t, %(text)d - 8, 8), index(u, "a"), s == t);
	t = substr(s, 0, %(text)d - 1);
	printf("%%d %%d %%d %%d\\n", s == s, s != t, t < s, s < t);
	t = strjoin(t, "f/The end");
	printf("%%d\\n", s == t);
	printf("%%d %%d\\n", index(s, t), rindex(s, t));
	t = substr(s, 1);
	printf("%%d %%d %%d\\n", index(s, t), rindex(s, t), index(t, s));
	this->first = strtok(s, "/");
	printf("%%d %%s\\n", strlen(this->first), strtok(NULL, "/"));
	this->first = strtok(strjoin(s, "!"), strjoin(substr(s, 0, %(text)d), "/"));
	printf("%%d %%s\\n", strlen(cleanpath(s)), substr(cleanpath(s), -8));
	t = strjoin("a/", strjoin(substr(s, 0, %(text)d), "/../b"));
	printf("%%s\\n", cleanpath(t));
	printf("%%s\\n", json(strjoin("[\\"", strjoin(s, "\\", 5 ]")), "1"));
	printf("%%d\\n", strlen(json(strjoin("[\\"", strjoin(s, "\\", 5 ]")), "0")));
	t = strjoin(substr(s, 0, %(text)d), "1");
	printf("%%d\\n", strtoll(t, 16));
	printf("%%d\\n", strtoll(t));
	exit(0);
}
"""

WANTED = """{text8} The end The end
{text1} 15 {textm17} {textm16}
{half15} {halfm1} -1
{text1} -1
{text} end /The end
/THE END /the end
89ABCDEF 89abcdef -1 0
1 1 1 0
1
0 0
1 1 -1
{text} The end
{text8} /The end
a/b
5
{text8}
1311768467463790321
123456789
"""

for strsize, text, place in SIZES:
    numbers = {"half": text // 2, "place": place, "text": text,
               "doublings": "s = strjoin(s, s);" * ((text // 16).bit_length() - 1)}
    done = subprocess.run([os.environ["DTRACE"], "-q", "-x", f"strsize={strsize}", "-n", SCRIPT % numbers],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    half = text // 2
    wanted = WANTED.format(text=text, text1=text + 1, text8=text + 8, textm16=text - 16, textm17=text - 17,
                           half15=half + 15, halfm1=half - 1)
    if done.returncode != 0 or done.stderr or done.stdout != wanted + "\n":
        sys.exit(f"strsize {strsize}: exit status {done.returncode}, {done.stderr}\n{done.stdout}\nwanted\n{wanted}")
