#pragma D option quiet

/* @@options: -c "$BUILD/tests/workloads/getppid 3" */
syscall::get*pid:entry /pid == $target/ { @[probeprov, probemod, probefunc, probename] = count(); }
END { printa("%s %s %s %s %@d\n", @); }
