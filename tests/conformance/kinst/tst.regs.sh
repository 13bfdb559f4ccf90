# @@timeout: 180
# regs[] are the registers of the kernel at the instruction: the arguments of a function at its
# first one, which a workload knows; the address of the instruction; the stack.
. "$TESTS/lib.sh"
"$DTRACE" -l -n kinst::ksys_read: >"$work/list" 2>"$work/why" || { tail -n 1 "$work/why"; exit 77; }
later=$(awk 'NR == 6 { print $5 }' "$work/list")
# dd reads 12345 bytes from descriptor 0, seven times.
run_undisturbed "$DTRACE" -q -c 'dd if=/dev/zero of=/dev/null bs=12345 count=7 status=none' -n '
syscall::read:entry /pid == $target && arg2 == 12345/ { to[tid] = arg1; }
kinst::ksys_read:0 /pid == $target && regs[R_RDX] == 12345/ {
	this->number = 14;
	@fd[regs[R_RDI], regs[this->number]] = count();
	@buffer[regs[R_RSI] == to[tid] ? "same" : "another"] = count();
	@arguments[arg0, arg1] = count();
	@from[*(uintptr_t *)regs[R_RSP] == caller ? "caller" : "another"] = count();
	@mode[regs[R_CS] & 3] = count();
	on[tid] = 1;
}
kinst::ksys_read:'"$later"' /on[tid]/ {
	@place[regs[R_PC] == regs[R_RIP], regs[R_RIP] - (uint64_t)&vmlinux`ksys_read] = count();
	on[tid] = 0;
}
END {
	printa("fd %d %d %@d\n", @fd); printa("%s %@d\n", @buffer); printa("arguments %d %d %@d\n", @arguments);
	printa("%s %@d\n", @from); printa("mode %d %@d\n", @mode); printa("place %d %d %@d\n", @place);
}'
want 0
sed -i '/^$/d' "$work/out"
same out "fd 0 0 7\nsame 7\narguments 0 0 7\ncaller 7\nmode 0 7\nplace 1 $later 7\n"
# An index that is no register's faults.
run "$DTRACE" -q -c 'dd if=/dev/zero of=/dev/null bs=12345 count=1 status=none' -n 'kinst::ksys_read:0 /pid == $target/ { this->i = 21; trace(regs[this->i]); }'
has err 'illegal operation'
done_testing
