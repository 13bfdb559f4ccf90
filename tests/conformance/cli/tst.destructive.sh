# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -n 'BEGIN { system("true"); }'
want 1
run "$DTRACE" -w -n 'BEGIN { exit(0); }'
want 0
has err 'dtrace: allowing destructive actions'
done_testing
