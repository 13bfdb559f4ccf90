. "$TESTS/lib.sh"
# More associative arrays than a program may use maps: those of one shape share one, and stay apart.
words= out= want_out=
for i in $(seq 1 70); do
    words="$words a$i[1] = $i; a$i[2] += $i; self->b$i[execname] = $i + 1000; s$i[1, \"x\"] = \"v$i\";"
    out="$out printf(\" %d,%d,%d,%s,%d\", a$i[1], a$i[2], self->b$i[\"dtrace\"], s$i[1, \"x\"], a$i[3]);"
    want_out="$want_out $i,$((2 * i)),$((i + 1000)),v$i,0"
done
run "$DTRACE" -qn "BEGIN { $words } BEGIN { a1[2] += 1; a1[2] -= 1; } BEGIN { $words } BEGIN { $out exit(0); }"
want 0
same out "$want_out\n"
# What one deletes, the others keep; a structure and an array of bytes as values, and a part of one.
words= out= want_out=
for i in $(seq 1 40); do
    words="$words p$i[7].x = $i; p$i[7].y = -$i; q$i[7] = $i;"
    out="$out printf(\" %d,%d,%d\", p$i[7].x, p$i[7].y, q$i[7]);"
    [ $i = 3 ] && want_out="$want_out 3,-3,0" || want_out="$want_out $i,$((-i)),$i"
done
declared="struct p { int x; int y; };"
for i in $(seq 1 40); do declared="$declared struct p p$i[int];"; done
run "$DTRACE" -qn "$declared BEGIN { $words q3[7] = 0; $out exit(0); }"
want 0
same out "$want_out\n"
# Beside aggregations.
words= out= want_out=
for i in $(seq 1 40); do
    words="$words @c$i[1] = sum($i); d$i[pid] = $i;"
    out="$out printf(\" %d\", d$i[pid]); printa(\" %@d\", @c$i);"
    want_out="$want_out $i $i"
done
run "$DTRACE" -qn "BEGIN { $words } BEGIN { $out exit(0); }"
want 0
same out "$want_out\n"
done_testing
