# @@host
# The stability report of -v, in DTrace's form, and -x amin.
. "$TESTS/lib.sh"

report='\nStability attributes for description BEGIN :\n
\tMinimum Probe Description Attributes
\t\tIdentifier Names: Unstable
\t\tData Semantics:   Unstable
\t\tDependency Class: Common\n
\tMinimum Statement Attributes
\t\tIdentifier Names: Stable
\t\tData Semantics:   Private
\t\tDependency Class: Common\n\n'
run "$DTRACE" -e -v -n 'BEGIN { x = curthread; }'
want 0
same out "$report"
run "$DTRACE" -v -n 'BEGIN { x = curthread; exit(0); }'
want 0
head -n 13 "$work/out" >"$work/report"
same report "$report"

# With the provider, it is as stable as that provider's names.
run "$DTRACE" -e -v -n 'dtrace:::BEGIN { x = curthread; }'
want 0
has out 'Identifier Names: Stable'
grep -q Unstable "$work/out" && fail 'BEGIN of dtrace is Unstable'
# What matched stands before the report, program by program, also in quiet runs.
"$DTRACE" -v -n 'BEGIN { exit(0); }' -n 'dtrace:::END' >"$work/out" 2>&1
grep -oE 'matched|Stability attributes for.*' "$work/out" >"$work/order"
same order 'matched\nStability attributes for description BEGIN :\nmatched\nStability attributes for description dtrace:::END:\n'
run "$DTRACE" -q -v -n 'BEGIN { exit(0); }'
want 0
has out 'Stability attributes for description BEGIN :'
same err ''

run "$DTRACE" -x amin=Stable/Stable/Common -en 'BEGIN { trace(pid); }'
want 0
run "$DTRACE" -x errtags -x amin=Stable/Stable/Common -en 'BEGIN { x = curthread; }'
want 1
has err '[D_ATTR_MIN]'
# A member is as stable as its object, also behind a translator.
run "$DTRACE" -x amin=Stable/Private/Common -en 'BEGIN { trace(curthread->pid); }'
want 0
run "$DTRACE" -x amin=Evolving/Evolving/ISA -en 'io:::start { trace(args[0]->b_bcount); }'
want 0
run "$DTRACE" -x amin=wombat -en BEGIN
want 1
has err 'failed to set -x amin: Invalid value for specified option'

# -lv: the lowest of the fields that the probe has; BEGIN has neither module nor function.
attributes() {
  run "$DTRACE" -lv -n "$1"
  want 0
  sed -n '/Probe Description Attributes/,/Class/p' "$work/out" | sed 's/.*: *//' | tr '\n' ' ' >"$work/shown"
  same shown "\tProbe Description Attributes $2 "
}
attributes dtrace:::BEGIN 'Stable Stable Common'
attributes syscall::getppid:entry 'Private Private Unknown'
attributes profile:::tick-1s 'Evolving Evolving Common'
done_testing
