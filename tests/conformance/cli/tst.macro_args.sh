# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -q -n 'BEGIN { trace($1); exit(0); }' 7 extra
want 1
has err "extraneous argument 'extra' (\$2 is not referenced)"
run "$DTRACE" -q -x defaultargs -n 'BEGIN { trace($1); trace($$2); exit(0); }'
want 0
same out '0\n'
run "$DTRACE" -q -n 'BEGIN { trace($1); exit(0); }'
want 1
has err 'D_MACRO_UNDEF'
done_testing
