syscall vmlinux getppid entry 3

