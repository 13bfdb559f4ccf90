# @@host
# The first of some points that is there, `!`, also within aliases and their returns; nothing in the handler of an absent point is checked.
. "$TESTS/lib.sh"
run "$STAP" -e '
probe either = kernel.trace("no_such_event") !, syscall.getppid !, syscall.getpid { from = @choose_defined($nothing, 7) }
probe either.return = kernel.trace("no_such_event") !, syscall.getppid.return { result = $return }
probe outer = either !, syscall.getpid { }
probe outer { if (pid() == target()) printf("%s %d\n", pp(), from) }
probe either.return { if (pid() == target()) printf("%s %d\n", pp(), result == ppid()) }
probe kernel.trace("no_such_event") ? { println($nothing) }
' -c "python3 -c 'import os; os.getpid(); os.getppid()'"
want 0
[ "$(cat "$work/out")" = 'syscall.getppid 7
syscall.getppid.return 1' ] || { fail "which points are taken"; cat "$work/out" "$work/err"; }
run "$STAP" -p2 -e 'probe either = kernel.trace("no_such_event") !, kernel.trace("nor_this_one") { } probe either { }'
want 1
grep -q nor_this_one "$work/err" || { fail "the last one is missing, and it is not said"; cat "$work/err"; }
done_testing
