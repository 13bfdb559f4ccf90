# @@host
# argstr is what strace writes of the same call.
. "$TESTS/lib.sh"
program=$BUILD/tests/workloads/many_calls
calls='open|openat|mmap|mprotect|madvise|msync|munmap|access|faccessat|lseek|socket|shutdown|kill|wait4|fcntl|flock|dup2|dup3'
calls="$calls|eventfd2|epoll_create1|timerfd_create|inotify_init1|memfd_create|unlinkat|mkdir|chmod|unlink|chdir|umask|getpriority"
calls="$calls|getpgid|setpgid|dup|fsync|ftruncate|close"
# Addresses and numbers of processes differ.
normal() { sed -E 's/0x[0-9a-f]{6,}/ADDRESS/g; s/^kill\([0-9]+/kill(PID/' "$1"; }
strace -o "$work/strace" -e trace="$(echo "$calls" | tr '|' ',')" "$program" || { echo "strace cannot trace here"; exit 77; }
# From the first call of its own on; of each its name and arguments.
sed -n '/\/etc\/hostname", O_RDONLY|O_CLOEXEC/,$p' "$work/strace" | sed -nE 's/^([a-z0-9_]+\(.*\)) += .*/\1/p' >"$work/wanted"
run "$STAP" -e 'global began
probe syscall.* {
  if (pid() == target()) {
    if (isinstr(argstr, "/etc/hostname\", O_RDONLY|O_CLOEXEC")) began = 1
    if (began) printf("%s(%s)\n", name, argstr)
  }
}' -c "$program"
want 0
normal "$work/wanted" >"$work/a"
normal "$work/out" | grep -E "^($calls)\(" >"$work/b"
[ "$(grep -c '' "$work/a")" -gt 50 ] || fail "strace shows too few calls"
cmp -s "$work/a" "$work/b" || { fail 'what differs'; diff "$work/a" "$work/b"; }
done_testing
