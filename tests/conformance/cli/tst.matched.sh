# @@host
. "$TESTS/lib.sh"
# The notice is cropped at the first of { / ; and counts each description.
run "$DTRACE" -n 'syscall::read:entry, syscall::write:entry /0/ { }' -n 'BEGIN { exit(0); }'
want 0
has err "dtrace: description 'syscall::read:entry, syscall::write:entry ' matched 2 probes"
has err "dtrace: description 'BEGIN ' matched 1 probe"
printf 'BEGIN { exit(0); }\n' >"$work/x.d"
run "$DTRACE" -s "$work/x.d"
want 0
same err "dtrace: script '$work/x.d' matched 1 probe\n"
done_testing
