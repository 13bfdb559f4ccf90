BEGIN { printf("%d", "x"); }
