# @@timeout: 180
# The workload's own writes, by a program of its own for each probe (fentry): how many, with what
# arguments, and what they returned.
. "$TESTS/lib.sh"
writes="$BUILD/tests/workloads/writes"
"$DTRACE" -l -n fbt::vfs_write:entry >"$work/list" 2>"$work/why" || { head -n 2 "$work/why" | tail -n 1; exit 77; }
run_undisturbed "$DTRACE" -q -c "$writes 200" -n '
fbt:vmlinux:vfs_write:entry /pid == $target/ {
	@n = count(); @asked = sum(args[2]); @raw = sum((int)arg2); @least = min(args[2]);
	@type[args[0]->f_inode->i_pipe != 0 ? "pipe" : "other", probefunc, probemod] = count();
}
fbt:vmlinux:vfs_write:return /pid == $target/ {
	@back = count(); @done = sum(args[1] > 0 ? args[1] : 0); @bad[args[1]] = sum(args[1] < 0); @where = sum(arg0);
}
END {
	printa("calls %@d\n", @n); printa("bytes %@d\n", @asked); printa("raw %@d\n", @raw); printa("least %@d\n", @least);
	printa("%s %s %s %@d\n", @type); printa("returns %@d\n", @back); printa("done %@d\n", @done);
	printa("where %@d\n", @where);
	printa("error %d %@d\n", @bad);
}'
want 0
sed -i '/^error [0-9]* 0$/d; /^$/d' "$work/out"
same out 'calls 400\nbytes 21500\nraw 21500\nleast 1\npipe vfs_write vmlinux 400\nreturns 400\ndone 20100\nwhere 0\nerror -9 200\n'
done_testing
