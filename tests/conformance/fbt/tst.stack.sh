# @@timeout: 180
# A stack at a function begins with its caller, whichever mechanism serves the probe; and so do
# caller and what has returned.
. "$TESTS/lib.sh"
writes="$BUILD/tests/workloads/writes"
"$DTRACE" -l -n fbt::vfs_write:entry >"$work/list" 2>"$work/why" || { head -n 2 "$work/why" | tail -n 1; exit 77; }
for probes in fbt::vfs_write:entry fbt::vfs_write:return fbt::vfs_*:entry fbt::vfs_*:return; do
	run_undisturbed "$DTRACE" -q -c "$writes 5" -n "$probes"' /pid == $target && probefunc == "vfs_write"/ { @[stack(2)] = count(); @c[func(caller)] = count(); }'
	want 0
	matches out '^ +vmlinux`(ksys_write|__x64_sys_write)\+0x'
	matches out '^ +10$'
	matches out '^  vmlinux`(ksys_write|__x64_sys_write) +10$'
	awk '/\+0x/ { if ($0 ~ /vfs_write|bpf_|trampoline|fprobe|rethook|ftrace/) exit 1 }' "$work/out" || { fail "frames of the tracer at $probes"; cat "$work/out"; }
done
done_testing
