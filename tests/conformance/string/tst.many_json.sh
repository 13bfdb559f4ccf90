. "$TESTS/lib.sh"
# Any number of json() and cleanpath() in one clause.
words=
for i in $(seq 1 84); do words="$words trace(json(s, \"a[$i]\"));"; done
list=$(seq -s, 0 90)
run "$DTRACE" -qn "BEGIN { s = \"{\\\"a\\\": [$list]}\"; } BEGIN { $words exit(0); }"
want 0
same out "$(seq 1 84 | tr -d '\n')\n"
words=
for i in $(seq 1 12); do words="$words trace(json(s, \"a[$i]\"));"; done
run "$DTRACE" -q -x strsize=1k -n "BEGIN { s = \"{\\\"a\\\": [$list]}\"; } BEGIN { $words exit(0); }"
want 0
same out "$(seq 1 12 | tr -d '\n')\n"
words=
for i in $(seq 1 12); do words="$words trace(cleanpath(strjoin(s, \"/../$i\")));"; done
run "$DTRACE" -q -x strsize=1k -n "BEGIN { s = \"/a/./b\"; } BEGIN { $words exit(0); }"
want 0
same out "$(for i in $(seq 1 12); do printf /a/$i; done)\n"
done_testing
