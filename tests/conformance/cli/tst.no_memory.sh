. "$TESTS/lib.sh"
# Memory that is refused is an error that is said, whoever asked for it.
said=0
# Where the program itself does not fit, the kernel ends it.
# shellcheck disable=SC2046
set -- $(readelf -lW "$DTRACE" | awk '$1 == "LOAD" { at = $3; bytes = $6 } END { print at, bytes }')
loaded=$((($1 + $2) / 1024))
for more in 1000 2000 3000 5000 8000 12000 16000; do
  kib=$((loaded + more))
  run sh -c "ulimit -v $kib; exec \"$DTRACE\" -q -n 'BEGIN { @[stack()] = count(); exit(0); }'"
  [ "$status" != 0 ] || continue
  # The loader's own refusals are not ours.
  [ "$status" != 127 ] || continue
  want 1
  first err '^dtrace: '
  said=1
done
[ "$said" = 1 ] || fail "no limit was too low"
# What is not listed for want of memory is not said to be absent.
for more in 2000 3000 5000 8000 9000 10000 12000; do
  run sh -c "ulimit -v $((loaded + more)); exec \"$DTRACE\" -l -n proc:::"
  ! grep -q 'No probe matches' "$work/err" || fail "with $more KiB: $(cat "$work/err")"
done
done_testing
