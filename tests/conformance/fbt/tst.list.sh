# @@timeout: 180
# The list of functions: the same ids each time, types, modules, who serves a probe, and why nobody can.
. "$TESTS/lib.sh"
if ! "$DTRACE" -l -n fbt::vfs_write:entry >"$work/list" 2>"$work/why"; then
	[ "$(wc -l <"$work/why")" = 2 ] || { cat "$work/why"; fail "one line and one hint were wanted"; }
	grep -q '^hint: this kernel does not let its functions be traced: ' "$work/why" || fail "no reason"
	run "$DTRACE" -l -P fbt
	want 1
	has err 'this kernel does not let its functions be traced: '
	run "$DTRACE" -n 'fbt::vfs_write:entry { exit(0); }'
	want 1
	has err 'this kernel does not let its functions be traced: '
	[ "$bad" = 0 ] || done_testing
	head -n 2 "$work/why" | tail -n 1
	exit 77
fi
run "$DTRACE" -l -n fbt::vfs_write:entry
cmp "$work/list" "$work/out" || fail "another list"
matches out '^ *[0-9]+ +fbt +vmlinux +vfs_write entry$'
run "$DTRACE" -l -P fbt
want 0
[ "$(awk '$2 == "fbt"' "$work/out" | wc -l)" -gt 60000 ] || fail "few probes"
[ -z "$(awk '$2 == "fbt" { print $3 ":" $4 ":" $5 }' "$work/out" | sort | uniq -d)" ] || fail "a probe is listed twice"
awk '$2 == "fbt" && $3 != "vmlinux"' "$work/out" | grep -q . || fail "no module"
run "$DTRACE" -lv -n fbt::vfs_write:
want 0
has out 'args[0]: struct file *'
has out 'args[2]: size_t'
has out 'args[1]: ssize_t'
# A type that only a module knows.
run "$DTRACE" -lv -n fbt:jbd2:jbd2_journal_start:entry
want 0
has out 'args[0]: jbd2`journal_t *'
run "$DTRACE" -e -n 'fbt:jbd2:jbd2_journal_start:entry { trace(args[0]->j_flags); }'
want 0
run "$DTRACE" -xexplain=fbt::vfs_write:
want 0
has out 'fentry of vfs_write'
has out 'fexit of vfs_write'
run "$DTRACE" -n 'fbt::vfs_wriet:entry { exit(0); }'
want 1
has err "did you mean 'fbt::vfs_write:entry'"
done_testing
