# In a memory cgroup with little room, buffers fit what it gives, and dtrace says how little that is before it begins.
. "$TESTS/lib.sh"
if [ -w /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
  group=/sys/fs/cgroup/memory/dt-$$ limit=memory.limit_in_bytes
else
  group=/sys/fs/cgroup/dt-$$ limit=memory.max
fi
if ! mkdir "$group" 2>/dev/null || ! [ -w "$group/$limit" ]; then
  rmdir "$group" 2>/dev/null
  echo "no memory cgroup can be made here"
  exit 77
fi
trap 'rmdir "$group"; rm -rf "$work"' EXIT
echo 48M >"$group/$limit"
within() {
  run sh -c 'echo 0 >"$0/cgroup.procs" && exec "$@"' "$group" "$DTRACE" "$@"
}
within -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -x bufsize=16m -c "$BUILD/tests/workloads/getppid 100"
want 0
same out '\n              100\n'
matches err '^dtrace: only [0-9]+ MB of memory are left for dtrace here \(a memory cgroup\); if the kernel ends it for want of memory, results are lost$'
within -qn 'syscall::getppid:entry /pid == $target/ { trace(1); }' -x bufsize=16m -c "$BUILD/tests/workloads/getppid 100"
want 0
has err 'dtrace: buffer size lowered to '
within -x quietresize -qn 'BEGIN { exit(0); }'
want 0
same err ''

# User stacks: tables and names of large programs would take more than there is; the results are printed without them.
# (Each CPU takes memory of its own.)
compiler=$(g++ -print-prog-name=cc1plus 2>/dev/null)
if ! [ -x "$compiler" ] || [ "$(getconf _NPROCESSORS_CONF)" -gt 4 ]; then
  done_testing
  exit
fi
# Another group: what the first one has used may still count there.
rmdir "$group" 2>/dev/null
group=${group%dt-*}dt-stacks-$$
mkdir "$group"
echo 14M >"$group/$limit"
mkfifo "$work/fifo"
"$compiler" -quiet -o /dev/null <"$work/fifo" 2>/dev/null &
large=$!
exec 9>"$work/fifo"
until [ "$(readlink "/proc/$large/exe")" = "$(readlink -f "$compiler")" ]; do sleep 0.01; done
within -qn 'profile-997 { @[ustack()] = count(); } tick-100ms { exit(0); } END { printf("ended\n"); }' -p $large
want 0
has out 'ended'
has err 'dtrace: user stacks may be cut short in large programs and libraries: too little memory was left for their unwind tables'
exec 9>&-
wait $large
done_testing
