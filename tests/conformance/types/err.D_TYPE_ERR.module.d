/* A module of the kernel that does not exist. */
BEGIN { trace(sizeof (struct nosuch`thing)); exit(0); }
