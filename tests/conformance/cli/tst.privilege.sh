. "$TESTS/lib.sh"
# Without privilege: said, with the capability that is missing.
command -v setpriv >/dev/null || { echo "setpriv is not installed"; exit 77; }
chmod 755 "$work"
cp "$DTRACE" "$work/dtrace" && chmod 755 "$work/dtrace"
run setpriv --reuid 65534 --regid 65534 --clear-groups "$work/dtrace" -n 'BEGIN { exit(0); }'
want 1
first err '^dtrace: failed to initialize dtrace: DTrace requires additional privileges'
has err 'CAP_'
# What needs no privilege works all the same.
run setpriv --reuid 65534 --regid 65534 --clear-groups "$work/dtrace" -e -n 'BEGIN { exit(0); }'
want 0
run setpriv --reuid 65534 --regid 65534 --clear-groups "$work/dtrace" -l -P syscall
want 0
done_testing
