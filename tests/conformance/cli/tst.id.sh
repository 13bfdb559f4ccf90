# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -q -i 1 -n 'END { trace(2); }' -n 'BEGIN { exit(0); }'
want 0
run "$DTRACE" -n 'BEGIN { exit(id == 1 && epid == 1 ? 5 : 6); }'
want 5
run "$DTRACE" -i 9999999
want 1
done_testing
