# @@host
# argstr and retstr are what strace writes of 130 calls of other_calls.c, which many_calls.c does not make.
. "$TESTS/lib.sh"
program=$BUILD/tests/workloads/other_calls
strace -o "$work/strace" "$program" >"$work/said" || { echo "strace cannot trace here"; exit 77; }
# From umask() on; not what the C library calls to print. Addresses, numbers of processes, and what strace writes as flags differ.
own() { sed -n '/^umask/,$p' "$1" | grep -vE '^(newfstatat|getrandom|brk|write\(1|exit|\+\+\+|[0-9]+$)'; }
normal() { sed -E 's/0x7[0-9a-f]{9,}/ADDRESS/g; s/^(getsid|getpgrp)\(.*/\1/; s/^((umask|membarrier)\(.*\)) = .*/\1/'; }
# -1 EBADF (Bad file descriptor); strace explains some numbers.
own "$work/strace" | sed -E 's/\) += (-?[0-9]+) \(.*\)$/) = \1/; s/\) += -1 (E[A-Z0-9]+) .*/) = \1/; s/\) += /) = /' | normal >"$work/a"
run "$STAP" -e 'probe syscall.*.return { if (pid() == target()) printf("%s(%s) = %s\n", name, argstr, retstr) }' -c "$program"
want 0
own "$work/out" | sed -E 's/ = -[0-9]+ \((E[A-Z0-9]+)\)$/ = \1/' | normal >"$work/b"
[ "$(grep -c '' "$work/a")" -gt 130 ] || fail "strace shows too few calls: $(grep -c '' "$work/a")"
cmp -s "$work/a" "$work/b" || { fail 'what differs'; diff "$work/a" "$work/b"; }
done_testing
