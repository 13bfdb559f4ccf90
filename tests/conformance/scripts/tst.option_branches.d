/* Branches of a script's options: else, nested, in speculations and before exit().
 * @@host
 */
#pragma D option quiet
#pragma D flag v verbose bool more
int x;
#pragma D flag n name string only
BEGIN { if ($verbose) printf("v1\n"); else printf("q1\n"); }
BEGIN { printf("<"); if ($verbose && execname == "x") { printf("v"); } else if ($name != "") { printf("n"); } else { printf("d"); } printf(">\n"); }
BEGIN { if (!($verbose || $name != "")) { self->s = speculation(); speculate(self->s); printf("spec\n"); } }
BEGIN /self->s/ { commit(self->s); }
BEGIN { if ($verbose && x) exit(3); else exit(0); printf("not"); }
