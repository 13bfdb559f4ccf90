#pragma D option quiet

BEGIN { printf("1"); }
END { printf("3"); }
BEGIN { printf("2"); exit(0); }
END { printf("4\n"); }
