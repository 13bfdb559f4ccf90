. "$TESTS/lib.sh"
run "$DTRACE" --self-test
want 0
has out 'ring buffer'
matches out '^  syscall +fires$'
matches out '^  profile +fires$'
done_testing
