# A tracepoint has two names; a short description means the first.
. "$TESTS/lib.sh"
run "$DTRACE" -l -n sched_switch
want 0
same out '   ID   PROVIDER            MODULE                          FUNCTION NAME\n'"$(sed -n 2p "$work/out")"'\n'
matches out '^ *[0-9]+ +sdt +sched +sched_switch'
run "$DTRACE" -l -n rawtp:::sched_switch
want 0
matches out '^ *[0-9]+ +rawtp +sched +sched_switch'
run "$DTRACE" -l -n '*:::sched_switch'
want 0
[ "$(grep -c sched_switch "$work/out")" = 2 ] || fail "$(cat "$work/out")"
run "$DTRACE" -l
matches out '^ *[0-9]+ +rawtp +sched +sched_switch'
done_testing
