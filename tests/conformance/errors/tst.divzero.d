#pragma D option quiet

/* @@stderr: error on enabled probe ID \d+ \(ID 1: dtrace:::BEGIN\): divide-by-zero in action #1 at */
int zero;
BEGIN { printf("%d\n", 1 / zero); }
BEGIN { printf("next\n"); exit(0); }
