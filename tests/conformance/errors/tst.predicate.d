#pragma D option quiet

/* @@stderr: divide-by-zero in predicate at */
int zero;
BEGIN /(1 / zero)/ { printf("no\n"); }
BEGIN { exit(0); }
