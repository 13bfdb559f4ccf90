# Without -c and -p there is no process, and $target is 0; in a description it must be one.
# Clauses that never run are told of.
. "$TESTS/lib.sh"
run "$DTRACE" -qn 'BEGIN { printf("%d [%s]", $target, $$target); exit(0); } syscall:::entry /pid == $target/ { exit(1); }'
want 0
same out '0 [0]\n'
run "$DTRACE" -n 'pid$target:::entry'
want 1
has err 'give a process to trace with -p PID or -c COMMAND'
# Returns that never fire are a remark where they are named, and none where a pattern means them too.
run "$DTRACE" -qn 'syscall::exit_group:return, syscall::rt_sigreturn:return { } BEGIN { exit(0); }'
want 0
same err 'dtrace: syscall::exit_group:return: exit_group() does not return\ndtrace: syscall::rt_sigreturn:return: the kernel does not report the return of rt_sigreturn()\n'
run "$DTRACE" -qn 'syscall::exit*:return, syscall::exit_group:entry { } BEGIN { exit(0); }'
want 0
same err ''
run "$DTRACE" -qn 'syscall::execve:return, syscall::execveat:return { } BEGIN { exit(0); }'
want 0
same err ''
run "$DTRACE" -qn 'syscall::execveat:return { } BEGIN { exit(0); }'
want 0
has err 'syscall::execveat:return: the kernel reports the return of an execveat() that has succeeded as one of execve()'
# So are system calls in whose place programs make newer ones, unless the newer one is named, too.
run "$DTRACE" -qn 'syscall::open:entry, syscall::open:return, syscall:vmlinux:pipe: { } BEGIN { exit(0); }'
want 0
same err 'dtrace: syscall::open:entry: most programs call openat() now\nhint: syscall::open:entry,syscall::openat:entry means both; at openat the path is arg1\ndtrace: syscall:vmlinux:pipe:: most programs call pipe2() now\nhint: syscall:vmlinux:pipe:,syscall:vmlinux:pipe2: means both\n'
run "$DTRACE" -qn 'syscall::open:entry, syscall::open??:entry { } syscall::fork:return { } syscall:::return { } syscall::access:entry { } BEGIN { exit(0); }'
want 0
same err ''
run "$DTRACE" -x compat=solaris -qn 'syscall::open:entry { } BEGIN { exit(0); }'
want 0
same err ''
done_testing
