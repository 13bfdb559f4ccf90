# @@host
. "$TESTS/lib.sh"
# The default output, to the blank.
run "$DTRACE" -n 'BEGIN { trace(42); trace((char)7); trace((short)8); trace(9LL); trace("str"); exit(0); }'
want 0
sed -i 's/^  [0-9] /  N /' "$work/out"
same out 'CPU     ID                    FUNCTION:NAME\n  N      1                           :BEGIN        42   7     8                9  str                              \n\n'
same err "dtrace: description 'BEGIN ' matched 1 probe\n"
done_testing
