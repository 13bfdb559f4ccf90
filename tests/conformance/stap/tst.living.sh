# process.begin and process.thread.begin of processes that ran before: what the kernel has of them.
. "$TESTS/lib.sh"
sleeper=$work/sleeper
cp /bin/sleep "$sleeper"
"$sleeper" 600 &
pid=$!
trap 'kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
until_true 10 sh -c "[ \"\$(readlink /proc/$pid/exe)\" = '$sleeper' ]"
run "$STAP" -e 'probe process("'"$sleeper"'").begin {
  t = task_current()
  printf("%d %d %s %d\n", pid(), t->pid, kernel_string(t->comm), task_pid(task_parent(t)) == ppid())
  printf("%d %d\n", ns_pid() > 0, @cast(t, "task_struct")->group_leader == t)
}
probe process("'"$sleeper"'").thread.begin { println("another thread") }
probe timer.ms(1) { exit() }'
want 0
same out "$pid $pid sleeper 1\n1 1\n"
done_testing
