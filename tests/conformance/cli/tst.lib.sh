# has() of tests/lib.sh wants a text of several lines as a whole, and not one of its lines.
. "$TESTS/lib.sh"
printf 'one\ntwo [a-z]*\nthree\n' >"$work/out"
has out 'two [a-z]*'
has out 'one
two'
has out '
three
'
finds() { (has out "$1" >"$work/said"; exit "$bad"); }
finds 'one
four' && fail "a line is enough"
finds 'two
one' && fail "the order does not matter"
finds 't[a-z]o' && fail "a pattern"
done_testing
