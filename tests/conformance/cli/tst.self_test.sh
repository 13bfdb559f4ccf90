. "$TESTS/lib.sh"
run "$DTRACE" --self-test
want 0
has out 'ring buffer'
for provider in dtrace syscall profile cpc sdt proc rawtp sched sysinfo vminfo ip tcp udp mib; do
  matches out "^  $provider +fires\$"
done
# Where the kernel has what they need.
while read -r provider feature; do
  if grep -qE "^  $feature +yes$" "$work/out"; then wanted=fires; else wanted='not on this kernel'; fi
  matches out "^  $provider +$wanted\$"
done <<'END'
pid (uprobe\.multi|events of uprobes)
plockstat (uprobe\.multi|events of uprobes)
pthread (uprobe\.multi|events of uprobes)
fbt (programs at a function \(fentry\)|kernel breakpoints \(kprobes\))
kinst kernel breakpoints \(kprobes\)
END
# Nothing but the report: no command that is traced writes into it.
if grep -vE '^(kernel .*|providers|  +[^ ].*)$' "$work/out"; then fail 'these lines are of no report'; fi
done_testing
