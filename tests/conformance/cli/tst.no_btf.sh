. "$TESTS/lib.sh"
# A kernel without BTF: said by name, or done without.
run unshare -m sh -c "mount --bind /dev/null /sys/kernel/btf/vmlinux && exec \"$DTRACE\" -n 'BEGIN { trace(curthread->pid); exit(0); }'"
want 1
has err '/sys/kernel/btf/vmlinux'
run unshare -m sh -c "mount --bind /dev/null /sys/kernel/btf/vmlinux && exec \"$DTRACE\" -q -n 'BEGIN { printf(\"%s\\n\", execname); exit(0); }'"
want 0
same out 'dtrace\n\n'
done_testing
