# A buffer that is filled once is full when it holds as much as was asked for, also where the kernel's is larger.
. "$TESTS/lib.sh"
cpus=$(getconf _NPROCESSORS_CONF)
for bytes in 128 1000 5000; do
  run "$DTRACE" -x bufpolicy=fill -x bufsize=$bytes -qn 'tick-1ms { printf("%d\n", n++); } END { printf("end\n"); }'
  want 0
  same err ''
  [ "$(tail -n 2 "$work/out")" = end ] || fail "bufsize=$bytes: END has not printed"
  lines=$(grep -c '^[0-9]' "$work/out")
  # A record takes its header and the ring's beside its 4 bytes; the buffer is one for all CPUs that there can be.
  most=$((bytes * 64 / 16)) least=$((bytes * cpus / 32))
  [ "$lines" -le $most ] && [ "$lines" -ge $((least < 1 ? 1 : least)) ] || fail "bufsize=$bytes: $lines lines"
  echo "bufsize=$bytes: $lines lines"
done
done_testing
