#pragma D option quiet

/* @@options: -c "$BUILD/tests/workloads/getppid 2" */
/* Different clauses for different probes of one program, in program order. */
syscall::getppid:entry /pid == $target/ { printf("a"); }
syscall:::entry /pid == $target && probefunc == "getppid"/ { printf("b"); }
syscall::getpid:entry, syscall::getppid:entry /pid == $target/ { printf("c"); }
syscall::read:entry /probefunc != "read"/ { printf("never"); }
syscall::getppid:entry /pid == $target/ { printf("d\n"); }
