#pragma D option quiet

/* @@options: -c "../build/dev/tests/workloads/getppid 3" */
syscall::get*pid:entry /pid == $target/ { @[probeprov, probemod, probefunc, probename] = count(); }
END { printa("%s %s %s %s %@d\n", @); }
