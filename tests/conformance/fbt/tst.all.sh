# @@timeout: 180
# Every function at once: attached, counted exactly and detached. Kernels without links of functions
# say that these are too many.
. "$TESTS/lib.sh"
writes="$BUILD/tests/workloads/writes"
"$DTRACE" -l -n fbt::vfs_write:entry >"$work/list" 2>"$work/why" || { head -n 2 "$work/why" | tail -n 1; exit 77; }
run "$DTRACE" -xexplain=fbt::vfs_*:entry
if ! grep -q 'kprobe.multi$' "$work/out"; then
	run "$DTRACE" -qn 'fbt:::entry { @ = count(); } tick-1s { exit(0); }'
	want 1
	has err 'these are more than 250 probes of fbt, and this kernel can only attach them one by one: '
	done_testing
fi
run "$DTRACE" -c "$writes 100" -n 'fbt:::entry /pid == $target/ { @[probefunc == "vfs_write"] = count(); }'
want 0
matches err "^dtrace: description 'fbt:::entry ' matched [0-9]{5} probes"
# What the kernel did not let through, because a program was running already, is a drop.
counted=$(awk '$1 == 1 { print $2 }' "$work/out")
dropped=$(sed -n 's/^dtrace: \([0-9]*\) drops\{0,1\} on CPU.*/\1/p' "$work/err" | awk '{ n += $1 } END { print n + 0 }')
[ "$counted" -le 200 ] && [ $((counted + dropped)) -ge 200 ] || fail "200 writes: $counted counted, $dropped dropped"
[ "$(awk '$1 == 0 { print $2 }' "$work/out")" -gt 1000 ] || fail "few functions fired"
# Nothing stays behind.
mkdir -p "$work/tracing" && mount -t tracefs tracefs "$work/tracing" && {
	left=$(grep -c . "$work/tracing/enabled_functions")
	umount "$work/tracing"
	[ "$left" -lt 10 ] || fail "$left functions are still traced"
}
done_testing
