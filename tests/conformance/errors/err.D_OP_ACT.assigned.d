BEGIN { x = exit(1); }
