#pragma D option quiet

BEGIN / 1 == 2 / { printf("never\n"); }
BEGIN / (6 / 2) == 3 / { printf("division in a predicate\n"); }
BEGIN { exit(3); }
/* @@status: 3 */
