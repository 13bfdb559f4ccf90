# @@timeout: 180
# What has probes and how it is listed, what is said of everything else, and why a kernel has none.
. "$TESTS/lib.sh"
run "$DTRACE" -xerrtags -n 'kinst::vfs_*: { }'
want 1
has err "invalid probe specifier kinst::vfs_*: { }: [D_PROC_FUNC] a description of kinst must name one function, and 'vfs_*' is a pattern"
if ! "$DTRACE" -l -n kinst::vfs_read: >"$work/list" 2>"$work/why"; then
	[ "$(wc -l <"$work/why")" = 2 ] || { cat "$work/why"; fail "one line and one hint were wanted"; }
	grep -q '^hint: this kernel does not let its instructions be traced: kprobes: ' "$work/why" || fail "no reason"
	run "$DTRACE" -l -P kinst
	want 1
	has err 'this kernel does not let its instructions be traced: '
	run "$DTRACE" -n 'kinst::vfs_read: { exit(0); }'
	want 1
	has err 'this kernel does not let its instructions be traced: '
	[ "$bad" = 0 ] || done_testing
	tail -n 1 "$work/why"
	exit 77
fi
# The columns are those of every probe; behind them are the offset in hexadecimal and the instruction.
awk 'NR > 1 && ($2 != "kinst" || $3 != "vmlinux" || $4 != "vfs_read" || $5 !~ /^[0-9]+$/ || $6 != sprintf("+0x%x", $5) || NF < 7) { print; exit 1 }' "$work/list" || fail "a row"
[ "$(wc -l <"$work/list")" -gt 50 ] || fail "few instructions"
grep -q '  ret$' "$work/list" || fail "no ret"
grep -qE '  jn?z vfs_read\+0x[0-9a-f]+$' "$work/list" || fail "no jump within the function"
grep -qE '  call [a-z_]' "$work/list" || fail "no call has a name"
grep -q int3 "$work/list" && fail "a trap has a probe"
# Offsets are numbers as they are listed, or in hexadecimal.
second=$(awk 'NR == 3 { print $5 }' "$work/list")
third=$(awk 'NR == 4 { print $5 }' "$work/list")
run "$DTRACE" -l -n "kinst:vmlinux:vfs_read:$(printf '0x%x' "$third")"
want 0
[ "$(awk 'NR == 2 { print $5 }' "$work/out")" = "$third" ] || fail "0x"
run "$DTRACE" -xexplain="kinst::vfs_read:$third"
want 0
matches out "^kinst:vmlinux:vfs_read:$third \(ID [0-9]+\): program kinst:instruction, key 0, kprobe at an instruction\$"
run "$DTRACE" -lv -n "kinst::vfs_read:$third"
want 0
has out 'Argument Types'
refused() { # DESCRIPTION TAG TEXT [HINT]
	run "$DTRACE" -xerrtags -n "$1"
	want 1
	first err "^dtrace: invalid probe specifier $1: \[$2\] $3\$"
	[ -z "${4-}" ] || has err "hint: $4"
}
hex() { printf '%d \(0x%x\)' "$1" "$1"; }
length=$(awk 'NR > 1 { last = $5 } END { print last }' "$work/list")
refused kinst::vfs_read:$((third - 1)) D_PROC_ALIGN "offset $(hex $((third - 1))) of 'vfs_read' is inside of the instruction at $(hex "$second"); the next one begins at $(hex "$third")"
refused kinst::vfs_read:100000 D_PROC_OFF "offset $(hex 100000) is outside of 'vfs_read', which has [0-9]+ bytes"
refused kinst::vfs_raed:0 D_PROC_FUNC "the kernel has no function 'vfs_raed'" "did you mean 'vfs_read'?"
refused kinst:jbd2:vfs_read:0 D_PROC_FUNC "module 'jbd2' has no function 'vfs_read'"
refused kinst::vfs_read:entry D_PROC_NAME "'entry' is not an offset: .*"
refused kinst::asm_exc_int3:0 D_PROC_CREATEFAIL "no breakpoint may stand on the instruction at 0 \(0x0\) of 'asm_exc_int3': the kernel needs this code for probes"
refused kinst:::0 D_PROC_FUNC 'a description of kinst must name a function'
# A module's.
run "$DTRACE" -l -n kinst:jbd2:jbd2_journal_start:
want 0
matches out ' kinst +jbd2 +jbd2_journal_start 0  \+0x0  '
# There is nothing to list without a function, and who names no provider means none.
run "$DTRACE" -l -P kinst
want 1
has err 'a description of kinst must name a function'
run "$DTRACE" -l -f vfs_read
awk '$2 == "kinst" { exit 1 }' "$work/out" || fail "listed by the function alone"
# Registers are those of kinst alone, and have numbers.
run "$DTRACE" -n 'BEGIN { trace(regs[R_RDI]); }'
want 1
has err "regs[ ] is not available at this probe: only probes of kinst have the kernel's registers"
run "$DTRACE" -n 'kinst::vfs_read:0 { trace(args[0]); }'
want 1
has err 'args[ ] may not be referenced'
done_testing
