# BEGIN, END and ticks fire in dtrace itself, whose stacks are whole from the first firing on.
. "$TESTS/lib.sh"

run "$DTRACE" -x ustackframes=100 -qn 'BEGIN, tick-10ms { @[ustack()] = count(); n++; } tick-10ms /n > 5/ { exit(0); } END { @[ustack()] = count(); }'
[ "$status" = 0 ] || fail "exit status $status"
[ ! -s "$work/err" ] || fail "$(cat "$work/err")"
# Of each stack, the last frame is the first function of the program.
awk 'NF == 1 && /^ +[0-9]+$/ { stacks++; if (last !~ /`_start\+/) other = last } { last = $0 }
  END { exit !(stacks > 0 && other == "") }' "$work/out" || fail "$(cat "$work/out")"
done_testing
