# Every probe of cgroup that a hierarchy of version 2 fires, for a group that is made, populated, frozen and
# removed. The hierarchy is mounted for this test alone.
. "$TESTS/lib.sh"
cat >"$work/group" <<'END'
set -e
mount -t cgroup2 none "$1/mount"
group=$1/mount/dtrace-test-$$
mkdir "$group"
sleep 60 &
until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.05; done
echo $! >"$group/cgroup.procs"
echo 1 >"$group/cgroup.freeze"
until grep -q 'frozen 1' "$group/cgroup.events"; do sleep 0.05; done
echo 0 >"$group/cgroup.freeze"
until grep -q 'frozen 0' "$group/cgroup.events"; do sleep 0.05; done
kill $!
wait $! 2>/dev/null || :
until grep -q 'populated 0' "$group/cgroup.events"; do sleep 0.05; done
stat -c "%i" "$group" >"$1/inode"
rmdir "$group"
END
mkdir "$work/mount"
"$DTRACE" -q -o "$work/out" -c "unshare -m sh $work/group $work" -n '
cgroup:::mkdir, cgroup:::freeze, cgroup:::unfreeze, cgroup:::rmdir
/strstr(args[0]->cg_path, "/dtrace-test-") != NULL/
{
	printf("%s level %d hierarchy %d\n", probename, args[0]->cg_level, args[0]->cg_hierarchy);
}
cgroup:::mkdir
/strstr(args[0]->cg_path, "/dtrace-test-") != NULL/
{
	printf("inode %d\n", args[0]->cg_id);
}
cgroup:::attach-task
/strstr(args[0]->cg_path, "/dtrace-test-") != NULL/
{
	printf("%s %s, of this shell: %d, whole: %d\n", probename, args[2]->pr_fname, args[2]->pr_ppid == pid, args[3]);
}
cgroup:::notify-populated, cgroup:::notify-frozen
/strstr(args[0]->cg_path, "/dtrace-test-") != NULL/
{
	printf("%s %d\n", probename, args[1]);
}' 2>"$work/err" || fail "dtrace: $(cat "$work/err")"
cat >"$work/wanted" <<END
mkdir level 1 hierarchy 0
inode $(cat "$work/inode")
notify-populated 1
attach-task sleep, of this shell: 1, whole: 1
freeze level 1 hierarchy 0
notify-frozen 1
unfreeze level 1 hierarchy 0
notify-frozen 0
notify-populated 0
rmdir level 1 hierarchy 0

END
diff "$work/wanted" "$work/out" || fail 'other events'
done_testing
