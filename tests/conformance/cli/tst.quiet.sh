# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -q -n 'BEGIN { trace(42); printf("x\n"); exit(0); }'
want 0
same out '42x\n\n'
same err ''
done_testing
