# The processes of -c, and what they are called in the report; how deep calls are; struct files of programs.
. "$TESTS/lib.sh"
run "$STAP" -e 'probe syscall.exit_group { if (pid() == target()) { println(pid()) target_set_report() } }
probe kprocess.exec_complete {
  if (success && target_set_pid(pid()) && execname() == "sleep") printf("within %d %d\n", ppid() == target(), target_set_pid(1))
}' -c "sh -c 'sleep 60 & until grep -q sleep /proc/\$!/comm; do :; done; exec true'"
want 0
pid=$(sed -n '/^[0-9]*$/p' "$work/out")
grep -qx "within 1 0" "$work/out" || fail "its child"
grep -qx "target set:" "$work/out" || fail "the heading"
grep -qx "[0-9]* begat $pid" "$work/out" || fail "target"
grep -qx "$pid begat [0-9]*" "$work/out" || fail "child"
sleeper=$(sed -n "s/^$pid begat //p" "$work/out")
kill "$sleeper"
# A call and its return are as deep as each other.
run "$STAP" -e 'probe begin {
  printf("%d %d %d %d|", thread_indent_depth(1), thread_indent_depth(1), thread_indent_depth(-1), thread_indent_depth(-1))
  printf("%d %d %d\n", indent_depth(2), indent_depth(0), indent_depth(-2))
  a = thread_indent(1) b = thread_indent(1) c = thread_indent(0) d = thread_indent(-1) e = thread_indent(-1)
  printf("%d %d %d %d\n", strlen(b) - strlen(a), strlen(c) - strlen(a), strlen(d) - strlen(a), strlen(e) - strlen(a))
  exit()
}'
same out '1 2 2 1|2 2 2
1 1 1 0\n'
# The memory of a process by its number: that of the process itself, in pages.
run "$STAP" -e 'probe begin {
  printf("%d %d\n", proc_mem_rss_pid(pid()) > 100, proc_mem_shr_pid(pid()) <= proc_mem_rss_pid(pid()))
  println(isinstr(proc_mem_string_pid(pid()), "size: "), proc_mem_rss_pid(0), proc_mem_shr_pid(0))
  exit()
}'
same out '1 1
100\n'
done_testing
