BEGIN { x = (int)exit(1); }
