. "$TESTS/lib.sh"
# args[] has the types of each description of a clause, as if the clause stood there once for each.
run "$DTRACE" -qn 'syscall::openat:entry, syscall::close:entry, syscall::close:return /pid == $target/ { @[probefunc, probename, sizeof(args[0]), args[0] == (int)arg0] = count(); } END { printa("%s %s %d %d\n", @); }' -c 'cat /etc/hostname' -o "$work/rows1"
want 0
run sort -u "$work/rows1"
same out '\nclose entry 4 1\nclose return 8 1\nopenat entry 4 1\n'
# In predicates, in branches, and of pointers.
run "$DTRACE" -qn 'sdt:sched::sched_process_exit, sdt:sched::sched_process_fork /args[0]->tgid == $target || ppid == $target/ { if (arg0 != 0) @[probename, stringof(args[0]->comm)] = count(); }
    END { printa("%s %s\n", @); }' -c 'sh -c "/bin/true; :"' -o "$work/rows2"
want 0
run sort -u "$work/rows2"
same out '\nsched_process_exit sh\nsched_process_exit true\nsched_process_fork sh\n'
# A description that matches several kinds of probes has no args[]: it is the one that is named.
run "$DTRACE" -xerrtags -en 'syscall::read:entry, syscall::close:* { trace(args[0]); }'
want 1
has err '[D_ARGS_MULTI] in action list: args[ ] may not be referenced because probe description syscall::close:* matches an unstable set of probes'
# What is wrong in all of them is said once.
run "$DTRACE" -en 'syscall::read:entry, syscall::openat:entry { trace(args[0]); trace(wombat); }'
want 1
same err "dtrace: invalid probe specifier syscall::read:entry, syscall::openat:entry { trace(args[0]); trace(womba...: in action list: failed to resolve wombat: Unknown variable name
<command line>:1:68: error: failed to resolve wombat: Unknown variable name [D_IDENT_UNDEF]
syscall::read:entry, syscall::openat:entry { trace(args[0]); trace(wombat); }
                                                                   ^~~~~~
"
# A probe that may come later has none.
run "$DTRACE" -Zqn 'syscall::nosuch:entry, syscall::openat:entry /pid == $target/ { @ = max(args[0] < 0); } END { printa("%@d\n", @); }' -c 'cat /etc/hostname' -o "$work/rows3"
want 0
run sort -u "$work/rows3"
same out '\n1\n'
done_testing
