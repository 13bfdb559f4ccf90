. "$TESTS/lib.sh"
run "$DTRACE" -q -c "$BUILD/tests/workloads/getppid 1" -n 'syscall::getppid:entry /pid == $target/ { printf("[%a]", caller); @[func(caller)] = count(); @m[mod(caller)] = count(); }'
want 0
matches out '^\[vmlinux`[a-zA-Z_0-9]+\+0x[0-9a-f]+\]'
matches out '^  vmlinux`[a-z_A-Z0-9]+ +1$'
matches out '^  vmlinux +1$'
done_testing
