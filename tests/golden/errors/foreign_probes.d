kprobe:vfs_read { trace(pid); }
tracepoint:syscalls:sys_enter_openat { trace(pid); }
interval:s:1 { trace(pid); }
