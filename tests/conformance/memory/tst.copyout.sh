#!/bin/sh
# copyout() and copyoutstr() write the process's memory, with -w, where the
# kernel lets anyone do so; elsewhere they are refused by name.
. "$TESTS/lib.sh"
cat >"$work/x.d" <<'D'
#pragma D option quiet
syscall::write:entry
/pid == $target && arg2 == 6/
{
	this->new = (char *)copyin(arg1, 3);
	this->new[0] = 'H';
	copyout(this->new, arg1, 3);
	copyoutstr("p!", arg1 + 3, 2);
	copyoutstr("y", arg1 + 4, 8);
}
D
run "$DTRACE" -s "$work/x.d" -c "echo hello"
want 1
matches err "Destructive actions not allowed|copyout\( \) cannot write user memory"
run "$DTRACE" -w -s "$work/x.d" -c "echo hello"
if [ "$status" = 0 ]; then
  printf 'Helpy\0' >"$work/wanted"
  head -c 6 "$work/out" | cmp -s "$work/wanted" || fail "what echo wrote is not what was copied out"
else
  has err "copyout( ) cannot write user memory on this kernel: "
  grep -q '\[none\]' /sys/kernel/security/lockdown 2>/dev/null && fail "refused without a lockdown"
fi
done_testing
