# @@host
. "$TESTS/lib.sh"
# Every stage can be shown and stopped at; none but the last needs root.
for stage in tokens ast typed ir ir-opt ecbs bpf; do
  run "$DTRACE" -xdump=$stage -xstop=$stage -n 'syscall::read:entry /pid == 1/ { @[execname] = count(); trace(arg0); }'
  want 0
  [ -s "$work/out" ] || fail "-xdump=$stage shows nothing"
done
# Several stages, in their order.
run "$DTRACE" -xdump=ir,typed -xstop=ir -n 'BEGIN { trace(1); }'
want 0
[ "$(grep -nE '^clause BEGIN$' "$work/out" | cut -d: -f1)" -lt "$(grep -n '^clause "BEGIN" {$' "$work/out" | cut -d: -f1)" ] ||
  fail "-xdump=ir,typed does not show both in their order"
run "$DTRACE" -xdump=typed,nonsense -n BEGIN
want 1
has err 'dump=nonsense: there is no such stage'
# A stage that fails is an error, the last one, too.
run "$DTRACE" -xstop=ast -n 'BEGIN {'
want 1
has err 'syntax error near end of input'
run "$DTRACE" -xstop=ast -n 'BEGIN { trace(no_such_name); }'
want 0
run "$DTRACE" -S -e -n 'BEGIN { exit(0); }'
want 0
has err 'exit'
run "$DTRACE" -xdump=records -n 'BEGIN { trace(1); exit(0); }'
want 0
[ -s "$work/out" ] || fail "-xdump=records shows nothing"
run "$DTRACE" -xdump=nonsense -n BEGIN
want 1
has err 'the stages are: tokens ast typed ir ir-opt ecbs views bpf raw records'
run "$DTRACE" -xstats -n 'BEGIN { exit(0); }'
want 0
has err 'front-end'
done_testing
