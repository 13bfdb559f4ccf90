/* Who prints an address as a string has forgotten to read the string. */
syscall::openat:entry { printf("%s", arg1); }
syscall::openat:entry { printf("%s", args[1]); }
sdt:sched::sched_process_fork { printf("%s", (char *)arg0); }
BEGIN { printf("%S", pid); }
BEGIN { printf("%s", 'ab'); }
BEGIN { printf("%{load1}s"); }
