. "$TESTS/lib.sh"
# A user stack by frame pointers, through a chain of functions that have them.
run "$DTRACE" -q -c "$BUILD/tests/workloads/frames" -n 'syscall::getppid:entry /pid == $target/ { ustack(8); @[ustack(8)] = count(); }'
want 0
for name in outer middle inner; do
  matches out "^              frames\`$name\+0x[0-9a-f]+\$"
done
matches out '^                3$'
done_testing
