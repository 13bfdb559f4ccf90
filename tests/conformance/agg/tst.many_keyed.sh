. "$TESTS/lib.sh"
# More aggregations with keys than a program may use maps: those of one shape share one.
words= out=
for i in $(seq 1 100); do
    words="$words @a$i[1] = sum($i); @b$i[execname, $i] = count();"
    out="$out printa(\" %@d\", @a$i); printa(\" %s%d=%@d\", @b$i);"
done
run "$DTRACE" -qn "BEGIN { n = 0; } BEGIN { $words } BEGIN { $words exit(0); } END { $out }"
want 0
same out "$(for i in $(seq 1 100); do printf ' %d dtrace%d=2' $((2 * i)) $i; done)\n"
# Some are cleared, and so are drained.
words= clears= out=
for i in $(seq 1 40); do
    words="$words @a$i[1] = sum($i);"
    [ $i -gt 2 ] || clears="$clears clear(@a$i);"
    out="$out printa(\" %@d\", @a$i);"
done
run "$DTRACE" -qn "BEGIN { $words } BEGIN { $clears exit(0); } END { $out }"
want 0
same out "$(for i in $(seq 1 40); do printf ' %d' $((i > 2 ? i : 0)); done)\n"
done_testing
