BEGIN { (void)exit(1); }
