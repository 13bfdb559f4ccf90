. "$TESTS/lib.sh"
run "$DTRACE" -l -n BEGIN
want 0
same out '   ID   PROVIDER            MODULE                          FUNCTION NAME\n    1     dtrace                                                     BEGIN\n'
run "$DTRACE" -l -n 'syscall::read:entry'
want 0
matches out '^ +[0-9]+    syscall           vmlinux                              read entry$'
run "$DTRACE" -l -P syscall
want 0
[ "$(wc -l <"$work/out")" -gt 600 ] || fail "fewer than 600 syscall probes"
run "$DTRACE" -l -f openat
want 0
[ "$(wc -l <"$work/out")" -eq 3 ] || { fail "openat has an entry and a return"; cat "$work/out"; }
run "$DTRACE" -l
want 0
grep -v '^5' "$work/out" >"$work/before"  # without those of processes, which come and go
run "$DTRACE" -l
grep -v '^5' "$work/out" >"$work/after"
cmp -s "$work/before" "$work/after" || fail "two listings differ"
run "$DTRACE" -l -n 'syscall::raed:entry'
want 1
has err 'dtrace: failed to match syscall::raed:entry: No probe matches description'
has err "did you mean 'syscall::read:entry'"
run "$DTRACE" -l -Z -n 'syscall::raed:entry'
want 0
same err ''
run "$DTRACE" -lv -n 'syscall::read:return'
want 0
has out '	Argument Types'
# Arguments have the names that the traced code gives them, where those are known.
run "$DTRACE" -lv -n 'syscall::openat:entry'
want 0
matches out '^		args\[0\]: int \(dfd\)$'
matches out '^		args\[1\]: userland const char \* \(filename\)$'
run "$DTRACE" -lv -n 'sdt:sched::sched_wakeup'
want 0
matches out '^		args\[0\]: struct task_struct \* \(p\)$'
run "$DTRACE" -lv -n 'pid$target:a.out:main:entry' -c "$BUILD/tests/workloads/calls"
want 0
matches out '^		args\[0\]: (userland )?int \(argc\)$'
matches out '^		args\[1\]: userland char \*\* \(argv\)$'
# What a translator makes has none.
run "$DTRACE" -lv -n 'proc:::create'
want 0
matches out '^		args\[0\]: psinfo_t \*$'
# A name that nothing is like is answered as -n answers it.
run "$DTRACE" -l -n no_such_thing_at_all
want 1
has err "a function of a program is 'pid\$target::no_such_thing_at_all:entry', under -p or -c"
done_testing
