#pragma D option quiet

/* @@options: -c "$BUILD/tests/workloads/sixargs" */
syscall::mmap:entry /pid == $target && arg4 == 0xffffffffffffffff && arg5 == 0x7000/ { printf("%x %x %d %x\n", arg1, arg2, (int)arg4, arg5); }
