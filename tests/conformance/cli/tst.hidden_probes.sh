# What a user may not see is said to be hidden.
. "$TESTS/lib.sh"
chmod 711 "$work"
run "$DTRACE" -l
want 0
same err ''
command -v setpriv >/dev/null || { echo "skipped: no setpriv"; exit 77; }
run setpriv --reuid 65534 --regid 65534 --clear-groups "$DTRACE" -l
[ "$status" = 126 ] || [ "$status" = 127 ] && { echo "skipped: another user cannot execute $DTRACE"; exit 77; }
want 0
matches err '^dtrace: the probes of sdt are not listed: the kernel.s [0-9]+ tracepoints cannot be listed: '
matches err '^dtrace: the probes of rawtp are not listed: '
done_testing
