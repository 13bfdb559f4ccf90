BEGIN { trace(stringof(exit(1))); }
