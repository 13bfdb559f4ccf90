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
# A number has the type that it has in a script.
run "$DTRACE" -q -n 'BEGIN { printf("%d %d %d %d", sizeof($1), sizeof($2), sizeof($3), $4); exit(0); }' \
  0xffffffff 4294967295 5ul 017
want 0
same out '4 8 8 15\n'
done_testing
