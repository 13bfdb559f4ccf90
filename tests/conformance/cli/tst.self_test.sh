. "$TESTS/lib.sh"
run "$DTRACE" --self-test
want 0
has out 'ring buffer'
for provider in dtrace syscall profile cpc sdt proc rawtp sched sysinfo vminfo ip tcp udp mib; do
  matches out "^  $provider +fires\$"
done
for provider in pid fbt kinst; do
  matches out "^  $provider +(fires|not on this kernel)\$"
done
done_testing
