# @@host
# A text in single quotes is a number, as in C: what trace() shows of it is said.
. "$TESTS/lib.sh"
run "$DTRACE" -qn "BEGIN { trace('x'); } BEGIN { if (1) { trace('hello'); trace('x'); } exit(0); }"
want 0
same out '120448378203247120\n'
same err "dtrace: trace('x') prints a number, not a text\nhint: write a text in double quotes: trace(\"x\")
dtrace: trace('hello') prints a number, not a text\nhint: write a text in double quotes: trace(\"hello\")\n"
run "$DTRACE" -qn "BEGIN { trace(('a\"b')); exit(0); }"
want 0
has err 'write a text in double quotes: trace("a\"b")'
# A number is what is meant where something is computed with it.
run "$DTRACE" -qn "BEGIN { trace('x' + 1); printf(\"%c\", 'y'); exit(0); }"
want 0
same out '121y\n'
same err ''
