BEGIN { exit(1), 2; }
