# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -n 'BEGIN { trace(foo); }'
want 1
first err '^dtrace: invalid probe specifier BEGIN \{ trace\(foo\); \}: in action list: failed to resolve foo: Unknown variable name$'
run "$DTRACE" -n 'BEGIN /foo/ { trace(1); }'
want 1
first err 'in predicate: failed to resolve foo: Unknown variable name$'
run "$DTRACE" -xerrtags -n 'BEGIN { trace(foo); }'
want 1
first err ': \[D_IDENT_UNDEF\] in action list: '
done_testing
