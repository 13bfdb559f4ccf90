# @@host
. "$TESTS/lib.sh"
# -o appends.
echo before >"$work/file"
run "$DTRACE" -q -o "$work/file" -n 'BEGIN { printf("traced\n"); exit(0); }'
want 0
[ "$(head -n 2 "$work/file")" = "before
traced" ] || { fail "-o did not append"; cat "$work/file"; }
run "$DTRACE" -o /nonexistent/file -n 'BEGIN { exit(0); }'
want 1
same err "dtrace: failed to open '/nonexistent/file': No such file or directory\n"
done_testing
