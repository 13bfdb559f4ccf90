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
done_testing
