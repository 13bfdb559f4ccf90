. "$TESTS/lib.sh"
run "$DTRACE" -n 'tick-5parsec { exit(0); }'
want 1
first err 'probe description :::tick-5parsec does not match any probes$'
run "$DTRACE" -n 'profile-1ns { exit(0); }'
want 1
first err 'does not match any probes$'
done_testing
