/* Conditions that are known, in all places where an if may stand.
 * @@host
 * @@status: 6
 */
#pragma D option quiet
BEGIN { x = 3; speculate(speculation()); if (0 && x) { @a = count(); } printf("in spec\n"); }
BEGIN { if (1 || x) { printf("a"); if (0) printf("no"); else printf("b"); printf("c\n"); } }
BEGIN { if (x > 2 ? 1 : 0) printf("T\n"); if (0 ? x : 1) printf("U\n"); if (1 ? 0 : x) printf("no\n"); else printf("V\n"); }
BEGIN { if (sizeof(int) == 4 && "a" == "a") printf("W\n"); if ("a" != "a" || !x) printf("no\n"); }
BEGIN { if (0) exit(5); else if (1) { exit(6); } printf("gone\n"); }
BEGIN { printf("gone too\n"); }
END { if (0 && x) ; else printf("end\n"); }
