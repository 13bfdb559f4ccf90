# ns_pid() and its like are the numbers that stap's own namespace of processes has, in it and in one that it has made.
. "$TESTS/lib.sh"
script='probe begin { println(ns_pid() == pid(), ns_tid() == pid(), ns_ppid() == ppid(), ns_uid(), ns_gid(), ns_euid(), ns_egid()) }
probe syscall.exit_group {
  if (ns_pid() != target()) next
  t = task_current()
  printf("%d %d %d %d %d\n", ns_pid(), ns_tid() == target(), ns_ppid() == stp_pid(), ns_pgrp(), ns_sid())
  println(task_ns_pid(t) == target(), task_ns_tid(t) == target(), task_ns_uid(t), task_ns_euid(t), task_ns_gid(t), task_ns_egid(t))
}'
knows() {
  sed -n 1p "$work/out" >"$work/first"
  same first '1110000\n'
  # The shell has said its number, group and session; then stap says the same.
  numbers=$(sed -n '/^shell /s/^shell //p' "$work/out")
  set -- $numbers
  grep -qx "$1 1 1 $2 $3" "$work/out" || { fail "numbers: $numbers"; cat "$work/out"; }
  tail -n 1 "$work/out" >"$work/last"
  same last '110000\n'
}
says='sh -c "echo shell \$(cut -d\  -f1,5,6 /proc/\$\$/stat)"'
run "$STAP" -e "$script" -c "$says"
want 0
knows
if unshare --pid --fork --mount-proc true 2>/dev/null; then
  run unshare --pid --fork --mount-proc "$STAP" -e "$script" -c "$says"
  want 0
  knows
  # Seen from here, a process of a namespace within has the number that it has here.
  run "$STAP" -e 'probe syscall.exit_group { if (execname() == "within") println(ns_pid() == pid()) }' \
    -c "unshare --pid --fork sh -c 'cp /bin/true $work/within && exec $work/within'"
  want 0
  same out '1\n'
fi
done_testing
