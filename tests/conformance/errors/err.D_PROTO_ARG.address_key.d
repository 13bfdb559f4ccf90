/* A key that is a number takes no address. */
BEGIN { @[1] = count(); @[curthread] = count(); exit(0); }
