# @@host
# -x oformat=csv: tables of what was recorded, with the names of columns; the layout of printf() is left out.
. "$TESTS/lib.sh"
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("a heading\n"); x = 5; }
	BEGIN { printf("%d.%03d %s\n", x, x + 2, "a,b"); trace("say \"hi\""); }
	BEGIN { printf("%5d.%d\n%s", x, x + 2, " b "); trace(""); x = 6; }
	BEGIN { printf("%d.%03d %s\n", x, x + 2, "c\nd"); trace("z"); exit(0); }'
want 0
same out 'x,x + 2,"""a,b""","""say \\""hi\\"""""\n5,7,"a,b","say ""hi"""\n\nx,x + 2,""" b """,""""""\n5,7," b ",\n\nx,x + 2,"""c\\nd""","""z"""\n6,8,"c\nd",z\n'

# Columns of printrow() have the names that it gives, and its conversions; one table is not begun twice.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printrow("PID", 1, "LAT(ms) %{ms}8.3f", 1234567, "A, B", "x"); n = 4; }
	BEGIN { printrow("PID", 22, "LAT(ms) %{ms}8.3f", 5, "A, B", ""); printrow("N", n); printrow("N", ""); exit(0); }'
want 0
same out 'PID,LAT(ms),"A, B"\n1,1.235,x\n22,0.000,\n\nN\n4\n""\n'

# Aggregations: joined on their keys, histograms by bucket, and what is left at the end.
run "$DTRACE" -x oformat=csv -qn 'BEGIN {
	this->who = "sh"; @n[this->who, 1] = count(); @sum[this->who, 1] = sum(30); this->who = "ls"; @sum[this->who, 2] = sum(4);
	normalize(@sum, 2); @q = lquantize(-1, 0, 10, 5); @q = lquantize(7, 0, 10, 5, 3); @q = lquantize(70, 0, 10, 5);
	printa("%s %@d\n", @n, @sum); @left = max(3); @[1] = min(2); exit(0); }'
want 0
same out 'this->who,1,@n,@sum\nls,2,0,2\nsh,1,1,15\n\n@q,count\n< 0,1\n5,3\n>= 10,1\n\n@left\n3\n\n1,min\n1,2\n'

# Memory is hexadecimal, frames are separated by semicolons, and messages are not in the table.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { this->p = (char *)alloca(4); this->p[0] = 65; tracemem(this->p, 4, 2); trace(*(int *)16); }
	BEGIN { this->p = (char *)alloca(4); this->p[0] = 65; tracemem(this->p, 4, 2); }
	tick-1ms { stack(2); exit(0); }'
want 0
has out 'this->p
4100'
matches out '^[^ ,]*`[^ ,]*;[^ ,;]*`[^ ,]*$'
has err 'invalid address (0x10)'
! grep -q 'invalid address' "$work/out" || fail 'a message stands in the table'

# A file that is appended to: its last table goes on if the columns are the same.
for columns in "A, 1" "A, 2" "B, 3" "B, 4" "A, 5"; do
  run "$DTRACE" -x oformat=csv -o "$work/table" -qn "BEGIN { printrow(\"${columns%,*}\", ${columns#*,}); exit(0); }"
  want 0
done
same table 'A\n1\n2\n\nB\n3\n4\n\nA\n5\n'
done_testing
