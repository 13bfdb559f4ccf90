# @@host
# vfs.* and the names of files, also on a kernel whose functions are not traced: which file, on which device, how many bytes.
. "$TESTS/lib.sh"
printf 'twelve bytes' > "$work/source"
cat > "$work/copy.py" <<'PYTHON'
import os, sys
source, target = os.open(sys.argv[1], os.O_RDONLY), os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
while bytes_ := os.read(source, 7):
    os.write(target, bytes_)
os.pread(source, 3, 9)
for bad in (target, 999):
    try:
        os.read(bad, 1)
    except OSError:
        pass
PYTHON
inode=$(stat -c %i "$work/source")
device=$(stat -c %d "$work/source")
run "$STAP" -e '
function is_ours(name) { return name == "source" || name == "target" }
probe vfs.read {
  if (pid() != target()) next
  if (is_ours(filename)) printf("%s %s %d at %d, %d %d\n", name, filename, bytes_to_read, pos, ino == '"$inode"', dev == usrdev2kerndev('"$device"'))
}
probe vfs.read.return { if (pid() == target() && is_ours(filename)) printf("%s %s: %d of %d, %s\n", name, filename, ret, bytes_to_read, retstr) }
probe vfs.write.return {
  if (pid() != target()) next
  if (is_ours(filename)) printf("%s %s: %d, %d %s\n", name, filename, bytes_written, strlen(devname) > 0, error_str == errno_str(0) ? "good" : error_str)
}
probe vfs.read { if (pid() == target() && is_ours(filename) && !n++) println(fullpath_struct_file(task_current(), file)) }
global n
' -c "python3 $work/copy.py $work/source $work/target"
want 0
[ -s "$work/err" ] && { cat "$work/err"; fail "lost"; }
out=$(sed "s#$(realpath "$work")#DIR#" "$work/out" | grep -v ': -9 of')
want_text() { [ "$1" = "$2" ] || { fail "wanted: $2"; echo "$1"; }; }
want_text "$(echo "$out" | grep -v 'vfs.* target [0-9]* at')" 'vfs.read source 7 at 0, 1 1
DIR/source
vfs.read source: 7 of 7, 7
vfs.write target: 7, 1 good
vfs.read source 7 at 7, 1 1
vfs.read source: 5 of 7, 5
vfs.write target: 5, 1 good
vfs.read source 7 at 12, 1 1
vfs.read source: 0 of 7, 0
vfs.read source 3 at 12, 1 1
vfs.read source: 3 of 3, 3'
# Paths, and who started whom.
run "$STAP" -e 'probe kernel.trace("sched_process_exit") {
  if (pid() != target()) next
  t = task_current()
  println(fullpath_struct_file(t, task_exe_file(t)))
  println(fullpath_struct_file(t, current_exe_file()))
  println(d_path(task_cwd_path(t)))
  println(isinstr(reverse_path_walk(@cast(t, "task_struct")->fs->pwd->dentry), "inner"))
  println(inode_name(@cast(t, "task_struct")->fs->pwd->dentry->d_inode))
  println(isinstr(task_ancestry(t, 0), "=>true"))
  println(isinstr(pstrace(t), sprintf("true(%d) ", target())))
  println(isinstr(proc_mem_string(), "size: "))
}' -c "env -C $(mkdir -p "$work/outer/inner" && echo "$work/outer/inner") true"
want 0
want_text "$(cat "$work/out")" "$(realpath /bin/true)
$(realpath /bin/true)
$(realpath "$work/outer/inner")
1
inner
1
1
1"
done_testing
