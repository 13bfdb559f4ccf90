. "$TESTS/lib.sh"
# The first elements that an interrupt stores are not dropped, however many they are.
words=
for i in $(seq 1 20); do words="$words a[$i] = execname; b[$i, cpu] = $i; @[$i, probename] = count();"; done
run "$DTRACE" -qn "string a[int]; profile-97 { $words n++; } tick-10ms /n > 2/ { exit(0); } END { trunc(@); }"
want 0
same err ''
done_testing
