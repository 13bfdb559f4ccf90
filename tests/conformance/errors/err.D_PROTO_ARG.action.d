BEGIN { exit(trace(1)); }
