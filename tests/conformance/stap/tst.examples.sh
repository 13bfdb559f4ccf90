# @@host
# The scripts of examples/stap, each beside a program that knows the answer.
. "$TESTS/lib.sh"
scripts=$(dirname "$TESTS")/examples/stap
programs=$BUILD/tests/workloads
run_undisturbed "$STAP" -c "$programs/family" "$scripts/functions.stp" "$programs/family"
want 0
matches out '^shorten +4$'
matches out '^lookup +2$'
run_undisturbed "$STAP" -c "$programs/family" "$scripts/callgraph.stp" "$programs/family" '[ls]*[np]'
want 0
[ "$(cat "$work/out")" = '-> shorten
<- shorten
-> shorten
<- shorten
-> lookup
<- lookup
-> shorten
<- shorten
-> shorten
<- shorten
-> lookup
<- lookup' ] || { fail 'callgraph'; cat "$work/out"; }
run_undisturbed "$STAP" -c "$programs/calls" "$scripts/callgraph.stp" "$programs/calls" fib
want 0
# fib(n) calls fib(n - 1) before it returns: the second line is one step deeper. What the program itself prints may come first.
[ "$(grep -e '->' "$work/out" | sed -n 2p)" = '  -> fib' ] || { fail 'depth'; head -n 4 "$work/out"; }
[ "$(grep -c -- '-> fib' "$work/out")" = "$(grep -c -- '<- fib' "$work/out")" ] || fail 'calls without returns'
run_undisturbed "$STAP" -c "dd if=/dev/zero of=/dev/null bs=1000 count=500" "$scripts/files.stp"
want 0
matches out '^dd +[0-9]+ write +500[0-9]{3} bytes in 50[0-9] calls$'
run "$STAP" -c "perl -e 'getppid() for 1..200000; select(undef, undef, undef, 0.2) for 1..10'" "$scripts/topsys.stp" 1
want 0
matches out '^getppid +[0-9]+$'
run "$STAP" "$scripts/network.stp" 1
want 0
run "$STAP" -c 'true' "$scripts/disk.stp"
want 0
grep -q 'no requests\|value' "$work/out" || fail 'disk'
run_undisturbed "$STAP" -c "$programs/locks" "$scripts/futexes.stp"
want 0
matches out 'locks\[[0-9]+\] lock 0x[0-9a-f]+ waited [0-9]+ times, [0-9]+ us on average'
done_testing
