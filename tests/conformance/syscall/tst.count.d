#pragma D option quiet

/* Every call of a known program is counted, and no other's. */
/* @@options: -c "$BUILD/tests/workloads/getppid 1000" */
syscall::getppid:entry /pid == $target/ { @e = count(); }
syscall::getppid:return /pid == $target && arg0 == ppid && arg0 == arg1 && errno == 0/ { @r = count(); }
END { printa("%@d\n", @e); printa("%@d\n", @r); }
