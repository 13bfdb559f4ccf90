# @@timeout: 180
# The same writes where one link serves many functions (kprobe.multi; kernels without it have a
# breakpoint for each), with values, return values, names and threads; and several functions of a
# name, and functions of a module.
. "$TESTS/lib.sh"
writes="$BUILD/tests/workloads/writes"
"$DTRACE" -l -n fbt::vfs_write:entry >"$work/list" 2>"$work/why" || { head -n 2 "$work/why" | tail -n 1; exit 77; }
run_undisturbed "$DTRACE" -q -c "$writes 100 threads" -n '
fbt::vfs_*:entry /pid == $target && probefunc == "vfs_write"/ { @asked = sum((int)arg2); @threads[tid] = count(); }
fbt::vfs_*:entry, fbt::vfs_*:return /pid == $target/ { @[probefunc, probename] = count(); }
fbt::vfs_*:return /pid == $target && probefunc == "vfs_write" && arg1 > 0/ { @done = sum(arg1); @where = sum(arg0); }
fbt::vfs_*:return /pid == $target && probefunc == "vfs_write" && (long)arg1 == -9/ { @bad = count(); }
END {
	printa("asked %@d\n", @asked); printa("done %@d\n", @done); printa("where %@d\n", @where); printa("bad %@d\n", @bad);
	printa("%s %s %@d\n", @); printa("thread %@d\n", @threads);
}'
want 0
grep -vE '^vfs_(write|read) |^thread|^(asked|done|where|bad) ' "$work/out" >"$work/others"
grep -E '^vfs_write |^thread|^(asked|done|where|bad) ' "$work/out" | LC_ALL=C sort >"$work/writes"
same writes 'asked 11500\nbad 200\ndone 10100\nthread 200\nthread 200\nvfs_write entry 400\nvfs_write return 400\nwhere 0\n'
# Reads: 200 of the workload, and those of its start; each has returned.
awk '$1 == "vfs_read" { n[$2] = $3 } END { exit !(n["entry"] >= 200 && n["entry"] == n["return"]) }' "$work/out" || fail "vfs_read"
done_testing
