# @@host
# Numbers that are shown as names: in printf(), as keys, as statements, and in JSON lines.
. "$TESTS/lib.sh"
run "$DTRACE" -qn 'BEGIN {
	printf("[%s] [%8s] [%-9s] %s %s %s\n", errname(2), errname(-13), signame(15), syscallname(257), username(0), groupname(0));
	printf("%s %s %s %s\n", errname(0), signame(99), syscallname(100000), username(4123456789));
	errname(4);
	exit(0);
}'
want 0
matches out '^\[ENOENT\] \[  EACCES\] \[SIGTERM  \] openat root root$'
matches out '^0 99 100000 4123456789$'
matches out '^EINTR$'

run "$DTRACE" -qn 'BEGIN {
	@["x", errname(13)] = sum(2); @["x", errname(2)] = sum(1); @["x", errname(-2)] = sum(4); @["x", errname(11)] = sum(3);
	printa("%s %s %@d\n", @); trunc(@); exit(0); }'
want 0
same out 'x EACCES 2\nx EAGAIN 3\nx ENOENT 5\n\n'

run "$DTRACE" -x oformat=jsonl -qn 'BEGIN { printf("%s", errname(2)); @[signame(9)] = count(); exit(0); }'
want 0
has out '"value":"ENOENT"'
has out '"value":"SIGKILL"'

# Of a system call that fails, and one that is known by its number.
run "$DTRACE" -qn 'syscall::openat:return /pid == $target && errno/ { @[errname(errno)] = count(); }
	END { printa("%s\n", @); }' -c 'cat /there/is/no/such/file'
has out ENOENT
run "$DTRACE" -qn 'BEGIN { x = errname(2); y[x] = signame(9); printf("%s %s", x, y[errname(2)]); x = 0; exit(0); }'
want 0
same out 'ENOENT SIGKILL\n'
run "$DTRACE" -n 'BEGIN { x = errname(2); x = signame(2); }'
want 1
has err 'D_OP_INCOMPAT'
done_testing
