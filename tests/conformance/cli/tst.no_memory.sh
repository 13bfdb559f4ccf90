. "$TESTS/lib.sh"
# Memory that is refused is an error that is said, whoever asked for it.
said=0
for kib in 8000 9000 10000 12000 16000 24000; do
  run sh -c "ulimit -v $kib; exec \"$DTRACE\" -q -n 'BEGIN { @[stack()] = count(); exit(0); }'"
  [ "$status" != 0 ] || continue
  # The loader's own refusals are not ours.
  [ "$status" != 127 ] || continue
  want 1
  first err '^dtrace: '
  said=1
done
[ "$said" = 1 ] || fail "no limit was too low"
done_testing
