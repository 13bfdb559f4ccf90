. "$TESTS/lib.sh"
# A buffer has room for the largest record of the script, however small it was asked to be.
SCRIPT='BEGIN { s = strjoin("a", "b"); } BEGIN { s = strjoin(s, s); printf("%s %s %s %s\n", s, toupper(s), strjoin(s, "c"), s); exit(0); }'
for size in '' '-xbufsize=16' '-xbufsize=4k' '-b8k -xbufpolicy=ring'; do
    run "$DTRACE" -q -x strsize=64k $size -n "$SCRIPT"
    want 0
    same out 'abab ABAB ababc abab\n\n'
    same err ''
done
# END's, too, for which the buffer has room besides; and a record of 12 strings needs more.
run "$DTRACE" -q -x strsize=8k -b 4k -n "BEGIN { s = \"x\"; exit(0); } END { printf(\"%s%s%s%s%s%s%s%s%s%s%s%s\\n\", $(
    for i in 1 2 3 4 5 6 7 8 9 10 11; do printf 'strjoin(s, "%d"), ' $i; done)s); }"
want 0
same out 'x1x2x3x4x5x6x7x8x9x10x11x\n\n'
same err ''
# With bufpolicy=fill, a smaller buffer holds one of them.
run "$DTRACE" -q -x strsize=64k -x bufpolicy=fill -b 4k -n "$SCRIPT"
want 0
same out 'abab ABAB ababc abab\n\n'
same err ''
run "$DTRACE" -q -x strsize=8k -x bufpolicy=fill -b 16 -n 'tick-5ms { s = strjoin("a", "b"); printf("%s %s\n", s, s); } tick-1m { exit(9); }'
want 0
same out 'ab ab\n\n'
same err ''
done_testing
