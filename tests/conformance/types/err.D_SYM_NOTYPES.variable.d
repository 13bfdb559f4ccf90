/* A symbol whose type nobody knows has an address, and no value. */
BEGIN { trace(`__start_rodata); exit(0); }
