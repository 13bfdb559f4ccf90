# @@timeout: 240
# Each instruction fires as often as it is executed: a function's first one for each call, those
# of a branch as often as the workload goes there, a loop's as often as it goes round.
. "$TESTS/lib.sh"
writes="$BUILD/tests/workloads/writes"
"$DTRACE" -l -n kinst::vfs_write: >"$work/list" 2>"$work/why" || { tail -n 1 "$work/why"; exit 77; }
awk 'NR > 1 { offset = $5; sub(/^.*\+0x[0-9a-f]+  /, ""); print offset, $0 }' "$work/list" >"$work/code"
count() { # REGEX: how often the instructions fired whose text matches, together.
	awk -v regex="$1" 'NR == FNR { n[$1] = $2; next } { offset = $1; sub(/^[0-9]+ /, ""); if ($0 ~ regex) sum += n[offset] } END { print sum + 0 }' "$work/out" "$work/code"
}
is() { # WHAT COUNT WANTED
	[ "$2" = "$3" ] || { fail "$1: $2, wanted $3"; cat "$work/out"; }
}
# 200 writes to a pipe, 200 that fail with EBADF, and none with EINVAL.
probes=$(awk '$1 == 0 || $2 == "ret" || $2 == "jmp" && $3 == "__x86_return_thunk" || $2 == "mov" && $3 ~ /^[$]-0x(9|16),$/ { printf "%skinst::vfs_write:%s", n++ ? ", " : "", $1 }' "$work/code")
run_undisturbed "$DTRACE" -q -c "$writes 200" -n "$probes"' /pid == $target/ { @[probename] = count(); } END { printa("%s %@d\n", @); }'
want 0
is 'the first instruction' "$(awk '$1 == 0 { print $2 }' "$work/out")" 400
is 'ret, or the jump to its thunk' "$(count '^(ret|jmp __x86_return_thunk)')" 400
is 'mov $-EBADF' "$(count '^mov [$]-0x9, ')" 200
is 'mov $-EINVAL' "$(count '^mov [$]-0x16, ')" 0
grep -qE ' mov [$]-0x16, ' "$work/code" || fail "no branch for EINVAL"
# 7 groups are given out one by one, by a loop of the kernel's.
cat >"$work/groups.py" <<'EOF'
import ctypes, os
os.setgroups(range(100, 107))
libc, groups = ctypes.CDLL(None), (ctypes.c_uint * 7)()
for i in range(30):
    assert libc.getgroups(7, groups) == 7
EOF
for function in __x64_sys_getgroups __do_sys_getgroups groups_to_user; do
	"$DTRACE" -l -n kinst::$function: >"$work/list" 2>/dev/null && grep -q ' call __put_user' "$work/list" && break
done
awk 'NR > 1 { offset = $5; sub(/^.*\+0x[0-9a-f]+  /, ""); print offset, $0 }' "$work/list" >"$work/code"
run_undisturbed "$DTRACE" -q -c "python3 -S $work/groups.py" -n "kinst::$function:"' /pid == $target/ { @[probename] = count(); } END { printa("%s %@d\n", @); }'
want 0
is 'calls' "$(awk '$1 == 0 { print $2 }' "$work/out")" 30
is 'rounds' "$(count '^call __put_user')" 210
is 'ends' "$(count '^(ret|jmp __x86_return_thunk)')" 30
# Nothing stays behind; where functions begin, tests of fbt may have theirs now.
if mkdir "$work/debug" && mount -t debugfs debugfs "$work/debug"; then
	grep -qE 'vfs_write\+0x[0-9a-f]{2}|getgroups' "$work/debug/kprobes/list" && fail "probes are left"
	umount "$work/debug"
fi
done_testing
