# A long -n program is not repeated in the first line of an error.
# @@host
. "$TESTS/lib.sh"

run "$DTRACE" -e -n 'BEGIN
{
	trace(nosuch);
}'
want 1
first err '^dtrace: invalid probe specifier BEGIN\.\.\.: in action list: failed to resolve nosuch: Unknown variable name$'
run "$DTRACE" -e -n 'BEGIN { this->first = 1; this->second = 2; this->third = 3; this->fourth = nosuch; }'
want 1
first err '^dtrace: invalid probe specifier BEGIN \{ this->first = 1; this->second = 2; this->third = 3; this->fourth\.\.\.: in action list: '
done_testing
