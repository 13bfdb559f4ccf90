BEGIN { pid = 2; }
