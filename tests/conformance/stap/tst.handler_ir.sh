# What the kernel does for a handler that only adds: its code, before it is optimised. To write the text again:
#   sh tests/conformance/stap/tst.handler_ir.sh >tests/conformance/stap/handler_ir.txt, with STAP=... and TESTS=
out=$("$STAP" -p3 -e 'global a, s
function twice(x) { return x * 2 }
probe kernel.trace("sched:sched_switch") {
  if (cpu() < 0) next
  a[execname(), twice(pid())]++
  s <<< $preempt
}') || exit 1
[ -n "$TESTS" ] || { echo "$out"; exit 0; }
echo "$out" | diff "$TESTS/conformance/stap/handler_ir.txt" -
