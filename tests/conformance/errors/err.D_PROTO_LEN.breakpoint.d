BEGIN { breakpoint(1); }
