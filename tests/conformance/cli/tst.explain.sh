. "$TESTS/lib.sh"
run "$DTRACE" -xexplain=syscall::read:entry
want 0
has out 'syscall:vmlinux:read:entry'
run "$DTRACE" -xexplain=syscall::nosuch:entry
want 1
done_testing
