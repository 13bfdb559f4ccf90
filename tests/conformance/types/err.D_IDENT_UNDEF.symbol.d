/* A function of the kernel that does not exist. */
BEGIN { trace((uint64_t)`vfs_raed_this); exit(0); }
