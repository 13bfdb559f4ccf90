# @@host
. "$TESTS/lib.sh"
# The default output, to the blank.
run "$DTRACE" -n 'BEGIN { trace(42); trace((char)7); trace((short)8); trace(9LL); trace("str"); exit(0); }'
want 0
sed -i 's/^  [0-9] /  N /' "$work/out"
same out 'CPU     ID                    FUNCTION:NAME\n  N      1                           :BEGIN        42   7     8                9  str                              \n\n'
same err "dtrace: description 'BEGIN ' matched 1 probe\n"

# Without what changes from run to run.
run "$DTRACE" -x bare -n 'BEGIN { trace(42); exit(0); }'
want 0
same out '                   FUNCTION:NAME\n                          :BEGIN        42\n\n'
run "$DTRACE" -F -x bare -n 'BEGIN { trace(42); exit(0); }'
want 0
same out 'FUNCTION                                 \n| :BEGIN                                         42\n\n'
run env _DTRACE_TESTING=1 "$DTRACE" -n 'BEGIN { trace(42); exit(0); }'
want 0
same out '                   FUNCTION:NAME\n                          :BEGIN        42\n\n'
run env _DTRACE_TESTING=1 "$DTRACE" -x bare=off -n 'BEGIN { trace(42); exit(0); }'
want 0
sed -i 's/^  [0-9] /  N /' "$work/out"
same out 'CPU     ID                    FUNCTION:NAME\n  N      1                           :BEGIN        42\n\n'
done_testing
