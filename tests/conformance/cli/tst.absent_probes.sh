# A probe that other systems have and this kernel cannot serve: the message says why.
. "$TESTS/lib.sh"
absent() {
  run "$DTRACE" -n "$1"
  want 1
  has err "probe description $1 does not match any probes"
  has err "$2"
}
absent sched:::tick 'note: it is a timer of each CPU: profile-97 samples them'
absent sched:::change-pri 'note: the kernel has no tracepoint for it'
absent vminfo:::anonpgin 'the kernel has no tracepoint that fires for just that'
run "$DTRACE" -l -n "sched:::*" -n "io:::*"
want 0
if grep -qE 'change-pri|tick' "$work/out"; then
  fail "a probe that cannot be served is listed"
fi
done_testing
