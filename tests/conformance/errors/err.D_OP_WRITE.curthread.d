/* What curthread leads to is the memory of the kernel. */
BEGIN { curthread->pid = 1; exit(0); }
