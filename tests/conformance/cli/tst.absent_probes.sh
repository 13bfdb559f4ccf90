# A probe that other systems have and this kernel cannot serve: the message says why.
. "$TESTS/lib.sh"
absent() {
  run "$DTRACE" -n "$1"
  want 1
  has err "probe description $1 does not match any probes"
  has err "$2"
}
absent io:::wait-start 'note: the kernel has no tracepoint where a thread waits for a request: of a thread that waits for some, sched:::sleep /curthread->in_iowait/ fires'
absent sched:::change-pri 'note: the kernel has no tracepoint for it'
absent vminfo:::zfod 'fires for just that: vminfo:::as_fault fires when a page is accessed for the first time'
run "$DTRACE" -l -n "sched:::*" -n "io:::*"
want 0
if grep -qE 'change-pri|wait-start' "$work/out"; then
  fail "a probe that cannot be served is listed"
fi
done_testing
