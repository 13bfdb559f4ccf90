BEGIN { ustack(0, 200); }
