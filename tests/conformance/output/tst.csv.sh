# @@host
# -x oformat=csv: tables of what was recorded, with the names of columns; the layout of printf() is left out.
. "$TESTS/lib.sh"
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("a heading\n"); x = 5; }
	BEGIN { printf("%d.%03d %s\n", x, x + 2, "a,b"); trace("say \"hi\""); }
	BEGIN { printf("%5d.%d\n%s", x, x + 2, " b "); trace(""); x = 6; }
	BEGIN { printf("%d.%03d %s\n", x, x + 2, "c\nd"); trace("z"); exit(0); }'
want 0
same out 'x,x + 2,column 3,column 4,drops\n5,7,"a,b","say ""hi""",0\n5,7," b ",,0\n6,8,"c\nd",z,0\n'

# A printf() of texts that stand in the script is the heading of the table behind it, if that has as many columns, and
# never a row; with no row behind it, it is a table without rows. No two columns have one name.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("%-8s ", "PID"); printf("%s\n", "COMMAND"); x = 5; }
	BEGIN { printf("%-8d ", x); printf("%s\n", "sh"); }
	BEGIN { printf("%-8d %s\n", x, "ls"); printf("%d\n", x); printf("%-8s %8s\n", $1 ? "" : "no", "COUNT"); @["cat"] = count(); printa("%-8s %@8d\n", @);
	    clear(@); trunc(@); }
	BEGIN { printf("%s %s\n", "two", "texts"); }
	BEGIN { printf("%s %s %s\n", "three", "more", "texts"); printf("%d", x); }
	BEGIN { printf("%s %s\n", "AN", "END"); exit(0); }' 1
want 0
same out 'PID,COMMAND,drops\n5,sh,0\n\nx,column 2,x 2,drops\n5,ls,5,0\n\ncolumn 1,COUNT,drops\ncat,1,0\n\nx,drops\n5,0\n\nAN,END,drops\n'

# A text that a value chooses is data, though the script has it in quotes.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { x = 1; } BEGIN { printf("%s %s\n", x ? "yes" : "no", x > 1 ? "many" : "one"); }
	BEGIN { printf("%d %d\n", x, 7); exit(0); }'
want 0
same out 'x,x 2,drops\nyes,one,0\n\nx,7,drops\n1,7,0\n'
# Arguments of a script choose headings.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { x = 5; printf("%s %s\n", "N", $1 ? "MS" : "US"); } BEGIN { printf("%d %d\n", x, x + 1); exit(0); }' 1
want 0
same out 'N,MS,drops\n5,6,0\n'

# A heading names what is printed: a value that has a unit is in this unit under it, and columns of a printa() have the order
# in which it prints them. Without a heading, a value is what the script recorded.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("%s %s\n", "WHO", "MS"); ns = 1234567; } BEGIN { printf("%-9s %{ms}8.3f\n", execname == "" ? "" : "a", ns); }
	BEGIN { printf("%{ms}.3f\n", ns); }
	BEGIN { printf("%s %s %s %s\n", "MS", "WHO", "COUNT", "N"); @s["cat", 7] = sum(2500000); @c["cat", 7] = count(); }
	BEGIN { printa("%@{ms}8.1f %s %@d %d\n", @s, @c); exit(0); }'
want 0
same out 'WHO,MS,drops\na,1.235,0\n\nns,drops\n1234567,0\n\nMS,WHO,COUNT,N,drops\n2.5,cat,1,7,0\n'
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("%s %s\n", "COUNT", "WHERE"); @[(uint64_t)&`vfs_read] = count(); printa("%@d %a\n", @); exit(0); }'
want 0
same out 'COUNT,WHERE,drops\n1,vmlinux`vfs_read,0\n'
# Of a key that is a name, as the same printa() shows it as text: without the offset of the address that came first.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("%s %s\n", "COUNT", "WHERE"); @[func((uint64_t)&`vfs_read + 3)] = count();
	@[func((uint64_t)&`vfs_read + 5)] = count(); printa("%@d %a\n", @); exit(0); }'
want 0
same out 'COUNT,WHERE,drops\n2,vmlinux`vfs_read,0\n'

# A column has the words of its expression, without those that only choose.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { a[1, 2] = 3; printf("%d %s %d %s\n", a[1, 2], $1 ? execname : "all", (cpu ? 1 : 2), strjoin("x", execname)); }
	BEGIN { printf("%d %d\n", curpsinfo->pr_pid, curthread->se.vruntime > 0); exit(0); }' 1
want 0
matches out '^a,execname,cpu,strjoin execname,drops$'
matches out '^pr_pid,vruntime > 0,drops$'

# A row that is laid out as the rows of a table is one of this table, whatever its expressions are; an empty text of a
# heading names no column, and a text alone is nothing.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("Look at %s\n", $$1); printf("%-8s %-5s%s\n", "EVENT", "N", $1 > 1 ? " MORE" : ""); n = 4; }
	BEGIN { printf("%-8s %-5d\n", "accept", n); } BEGIN { printf("%-8s %-5d\n", execname == "" ? "" : "close", n + 1); }
	BEGIN { printf("%s in all: %d\n", "n", n * 2); exit(0); }' 1
want 0
same out 'EVENT,N,drops\naccept,4,0\nclose,5,0\n\ncolumn 1,n * 2,drops\nn,8,0\n'

# A printa() that ends the line of a printf() ends its row, too.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("%s %s %s\n", "AT", "A", "B"); @a = sum(1); @b = sum(2); n = 7; }
	BEGIN { printf("%d", n); printa(" %@d %@d\n", @a, @b); trunc(@a); trunc(@b); }
	BEGIN { printf("%d", n + 1); printa(" %@d\n", @a); exit(0); }'
want 0
same out 'AT,A,B,drops\n7,1,2,0\n\nn + 1,drops\n8,0\n'

# An address that is shown in hexadecimal is so here, too.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printf("%s %s\n", "WHERE", "N"); p = -4096LL; } BEGIN { printf("%-16x %d\n", p, 1); }
	BEGIN { printf("%p %#x\n", (void *)p, 0); @[p] = count(); printa("%x %@d\n", @); exit(0); }'
want 0
same out 'WHERE,N,drops\n0xfffffffffffff000,1,0\n0xfffffffffffff000,0x0,0\n0xfffffffffffff000,1,0\n'

# Columns of printrow() have the names that it gives, and its conversions; one table is not begun twice.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printrow("PID", 1, "LAT(ms) %{ms}8.3f", 1234567, "A, B", "x"); n = 4; }
	BEGIN { printrow("PID", 22, "LAT(ms) %{ms}8.3f", 5, "A, B", ""); printrow("N", n); printrow("N", ""); exit(0); }'
want 0
same out 'PID,LAT(ms),"A, B",drops\n1,1.235,x,0\n22,0.000,,0\n\nN,drops\n4,0\n,0\n'

# Aggregations: joined on their keys, histograms by bucket, and what is left at the end.
run "$DTRACE" -x oformat=csv -qn 'BEGIN {
	this->who = "sh"; @n[this->who, 1] = count(); @sum[this->who, 1] = sum(30); this->who = "ls"; @sum[this->who, 2] = sum(4);
	normalize(@sum, 2); @q = lquantize(-1, 0, 10, 5); @q = lquantize(7, 0, 10, 5, 3); @q = lquantize(70, 0, 10, 5);
	printa("%s %@d\n", @n, @sum); @left = max(3); @[1] = min(2); exit(0); }'
want 0
same out 'who,1,n,sum,drops\nls,2,0,2,0\nsh,1,1,15,0\n\nbucket,q,drops\n< 0,1,0\n5,3,0\n>= 10,1,0\n\nleft,drops\n3,0\n\n1,min,drops\n1,2,0\n'

# Memory is hexadecimal, frames are separated by semicolons, and messages are not in the table.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { this->p = (char *)alloca(4); this->p[0] = 65; tracemem(this->p, 4, 2); trace(*(int *)16); }
	BEGIN { this->p = (char *)alloca(4); this->p[0] = 65; tracemem(this->p, 4, 2); }
	tick-1ms { stack(2); exit(0); }'
want 0
has out 'p,drops
4100,0'
matches out '^[^ ,]*`[^ ,]*;[^ ,;]*`[^ ,]*,0$'
has err 'invalid address (0x10)'
! grep -q 'invalid address' "$work/out" || fail 'a message stands in the table'

# A file that is appended to: its last table goes on if the columns are the same.
for columns in "A, 1" "A, 2" "B, 3" "B, 4" "A, 5"; do
  run "$DTRACE" -x oformat=csv -o "$work/table" -qn "BEGIN { printrow(\"${columns%,*}\", ${columns#*,}); exit(0); }"
  want 0
done
same table 'A,drops\n1,0\n2,0\n\nB,drops\n3,0\n4,0\n\nA,drops\n5,0\n'

# However large the file is.
{ printf 'A,drops\n'; yes 1,0 | head -c 67108868; } >"$work/large"
run "$DTRACE" -x oformat=csv -o "$work/large" -qn 'BEGIN { printrow("A", 7); exit(0); }'
want 0
tail -n 2 "$work/large" >"$work/last"
rm "$work/large"
same last '1,0\n7,0\n'

# A spreadsheet obeys a text that begins as a formula: it gets a ' in front, and so does what begins with one.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { printrow("A", "=1+1", "B", -1); printrow("A", "\x27x", "B", 2); printrow("A", "a=b", "B", 3); exit(0); }'
want 0
same out "A,B,drops\\n'=1+1,-1,0\\n''x,2,0\\na=b,3,0\\n"

# An empty line within a cell is not the end of a table.
for word in 'x\n\nA\n' 'y'; do
  run "$DTRACE" -x oformat=csv -o "$work/quoted" -qn "BEGIN { printrow(\"T\", \"$word\"); exit(0); }"
  want 0
done
same quoted 'T,drops\n"x\n\nA\n",0\ny,0\n'

# What is lost is in the column, and in all it is what was lost.
run "$DTRACE" -x oformat=csv -x dynvarsize=4k -qn 'tick-1ms /i < 300/ { i++; a[i] = i; } tick-1ms { printrow("I", i); }
	tick-1ms /i == 300/ { exit(0); }'
want 0
awk -F, '/drops/ { last = NF; next } NF { sum += $last } END { exit sum > 0 ? 0 : 1 }' "$work/out" || fail 'no drops in the column'
lost=$(sed -n 's/.*dtrace: \([0-9]*\) dynamic variable drops*.*/\1/p' "$work/err" | awk '{ n += $1 } END { print n }')
awk -F, -v lost="$lost" '/drops/ { last = NF; next } NF { sum += $last } END { exit sum == lost ? 0 : 1 }' "$work/out" || fail "not $lost drops in the column"

# Percentiles and counts are columns, also beside other aggregations, in the order of the format and in its units under a heading;
# a histogram that is shown as a picture has rows of buckets.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { @q["a"] = quantize(5, 97); @q["a"] = quantize(70000, 3); @c["a"] = count(); @c["b"] = count();
	printa("%s %@d %@{count}d %@{p50}d %@{p99,us}.1f\n", @c, @q); } BEGIN { printf("%s %s\n", "US", "WHO"); }
	BEGIN { printa("%@{p99,us}.1f %s\n", @q); printa("%s %@d %@d\n", @c, @q); exit(0); }'
want 0
same out 'column 1,c,q count,q p50,q p99,drops\nb,1,0,0,0,0\na,1,100,7,131071,0\n\nUS,WHO,drops\n131.1,a,0\n\ncolumn 1,bucket,q,drops\na,4,97,0\na,65536,3,0\n\ncolumn 1,c,drops\na,1,0\nb,1,0\n'

# A heading between two printa() is that of the second one; what stands behind a printa() comes behind its rows.
run "$DTRACE" -x oformat=csv -qn 'BEGIN { @a["x"] = sum(1); @b["y"] = sum(2); printf("%-10s %s\n", "NAME", "COUNT"); printa("%-10s %@d\n", @a);
	printf("%-10s %s\n", "FILE", "BYTES"); printa("%-10s %@d\n", @b); printf("%s %s %s\n", "A", "TO", "Z"); printf("%d %d %d\n", 1, $1, 3); exit(0); }' 2
want 0
same out 'NAME,COUNT,drops\nx,1,0\n\nFILE,BYTES,drops\ny,2,0\n\nA,TO,Z,drops\n1,2,3,0\n'
done_testing
