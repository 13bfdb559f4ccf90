#pragma D option quiet

/* A bad address fires ERROR, is reported, and tracing goes on. */
/* @@stderr: error on enabled probe ID \d+ \(ID \d+: syscall:vmlinux:getppid:entry\): invalid address \(0x10\) in action #1 at conformance/syscall/tst.fault.d:6:\d+ */
/* @@options: -c "$BUILD/tests/workloads/getppid 1" */
syscall::getppid:entry /pid == $target/ { trace(copyinstr(0x10)); }
syscall::getppid:return /pid == $target/ { printf("still here\n"); }
ERROR { printf("ERROR %d %d %x\n", arg2, arg4, arg5); }
