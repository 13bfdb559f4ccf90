BEGIN { trace(exit(1)); }
