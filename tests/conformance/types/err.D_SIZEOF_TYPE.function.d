/* A function has no size. */
BEGIN { trace(sizeof(`vfs_read)); exit(0); }
