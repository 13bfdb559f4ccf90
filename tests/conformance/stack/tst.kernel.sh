. "$TESTS/lib.sh"
# A kernel stack of a system call, symbolised, indented by 14.
run "$DTRACE" -q -c "$BUILD/tests/workloads/getppid 1" -n 'syscall::getppid:entry /pid == $target/ { stack(); @[stack(3)] = count(); }'
want 0
matches out '^              vmlinux`(do_syscall_64|x64_sys_call|entry_SYSCALL_64|syscall_trace_enter|trace_sys_enter|__traceiter_sys_enter)[^ ]*$'
matches out '^                1$'
run "$DTRACE" -q -x stackindent=2 -x stackframes=1 -c "$BUILD/tests/workloads/getppid 1" -n 'syscall::getppid:entry /pid == $target/ { stack(); printf("%d\n", stackdepth > 1); }'
want 0
[ "$(grep -c '^  vmlinux' "$work/out")" = 1 ] || { fail "one frame was wanted"; cat "$work/out"; }
has out '1'
done_testing
