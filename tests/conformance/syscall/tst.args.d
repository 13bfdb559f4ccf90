#pragma D option quiet

/* @@options: -c "$BUILD/tests/workloads/badwrite" */
syscall::write:entry /pid == $target && arg0 == 4242/ { printf("%d %s %d\n", arg0, copyinstr(arg1), arg2); }
syscall::write:return /pid == $target && errno/ { printf("%d %d\n", (int)arg0, errno); }
