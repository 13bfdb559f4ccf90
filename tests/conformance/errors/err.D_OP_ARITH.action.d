BEGIN { x = 2 * exit(1); }
