# -x cpu: the only CPU on which probes fire, BEGIN, tick and END among them.
. "$TESTS/lib.sh"

[ -d /sys/devices/system/cpu/cpu1 ] || { echo "skipped: one CPU only"; exit 77; }
run "$DTRACE" -q -x cpu=1 -n '
  BEGIN { printf("begin %d\n", cpu); }
  profile-997 { @[cpu] = count(); }
  syscall:::entry { @calls[cpu] = count(); seen = 1; }
  tick-400ms /seen/ { printf("tick %d\n", cpu); exit(0); }
  END { printf("end %d\n", cpu); printa("sampled %d\n", @); printa("calls %d\n", @calls); }' \
  -c "sh -c 'for i in 1 2 3 4 5 6; do taskset -c 1 true; taskset -c 0 true; done; exec taskset -c 1 sleep 60'"
want 0
has out "begin 1"
has out "tick 1"
has out "end 1"
has out "calls 1"
if grep -E '[^0-9](0|[2-9]+)$' "$work/out"; then fail "another CPU was traced"; fi

run "$DTRACE" -x cpu=4000 -n 'BEGIN { exit(0); }'
want 1
has err "dtrace: could not enable tracing: CPU 4000 is not online"
matches err "these are: 0"
done_testing
