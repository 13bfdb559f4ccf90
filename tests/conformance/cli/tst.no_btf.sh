. "$TESTS/lib.sh"
# A kernel without BTF: said by name, or done without.
run unshare -m sh -c "mount --bind /dev/null /sys/kernel/btf/vmlinux && exec \"$DTRACE\" -n 'BEGIN { trace(curthread->pid); exit(0); }'"
want 1
has err '/sys/kernel/btf/vmlinux'
run unshare -m sh -c "mount --bind /dev/null /sys/kernel/btf/vmlinux && exec \"$DTRACE\" -q -n 'BEGIN { printf(\"%s\\n\", execname); exit(0); }'"
want 0
same out 'dtrace\n\n'
# What needs the types names the file, and the rest works.
without() {
  run unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$@"' sh "$DTRACE" "$@"
}
cause='cannot be read: open /sys/kernel/btf/vmlinux: No such file or directory'
without -qn 'profile-97 { exit(0); }'
want 0
same err ''
without -qn 'pid$target:::entry { @ = count(); }' -c "$BUILD/tests/workloads/getppid 10"
want 0
same err ''
for probe in sdt:sched::sched_waking rawtp:::sched_waking proc:::exec tcp:::send lockstat:::rw-block; do
  without -n "$probe"
  want 1
  has err "$cause"
done
without -lP io
want 1
has err "$cause"
without -n 'syscall::read:entry'
want 1
has err 'open /sys/kernel/btf/vmlinux: No such file or directory'
done_testing
