# The probes that a program was built with: each form of argument, several sites, semaphores.
# @@timeout: 120
. "$TESTS/lib.sh"
demo=$BUILD/tests/workloads/usdt
run "$DTRACE" -q -c "$demo" -n '
demo$target:usdt:fire:every-form
{
	printf("every %d %d %x %d %x %d %x %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
}
demo$target:::other-forms
{
	printf("other %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, *(long *)copyin(arg5 + 8, 8), arg6);
}
demo2$target:a.out:fire_twice:twice { printf("twice %d %d\n", args[0], args[1]); }
demo$target:::every-form /args[1] == -5 && args[2] == 0x8001/ { @ = count(); }'
want 0
for i in 0 1 2 3 4 5 6 7 8 9; do
  has out "every $i -5 8001 -32767 77 -120 1122334455667788 -7 300 4294967287"
  has out "twice $i 1"
  has out "twice $i 2"
done
[ "$(grep -c '^other -3 -77 200 0 400 200 100$' "$work/out")" = 10 ] || fail 'other forms'
[ "$(grep -c '^twice' "$work/out")" = 20 ] || fail 'two sites'
matches out '^ +10$'
has out 'up 0 times, now 0'
# The program sees that somebody looks, and that nobody does any longer, however we ended.
run "$DTRACE" -q -c "$demo" -n 'demo$target:::busy { @[copyinstr(arg0)] = count(); }'
want 0
has out 'up 10 times, now 1'
matches out 'somebody looks +10$'
"$demo" wait >"$work/theirs" &
pid=$!
until_runs $pid "$demo wait"
"$DTRACE" -q -n "demo$pid:::busy { printf(\"seen\n\"); }" >"$work/ours" &
tracer=$!
until_true 10 grep -q seen "$work/ours"
kill -9 $tracer
wait $tracer 2>/dev/null
# Patterns find the process; the list tells the types of arguments.
run "$DTRACE" -lv -n 'dem?[0-9]*:usdt::every*'
want 0
matches out "^[0-9]+ +demo$pid +usdt +fire every-form\$"
has out 'args[1]: int32_t'
run "$DTRACE" -q -n 'demo*:usdt::twice { @[probeprov, probefunc, probename] = count(); n++; } tick-100ms /n/ { exit(0); }'
want 0
matches out "demo2$pid +fire_twice +twice"
# Two providers of one process: demo2 and demo are different ones.
run "$DTRACE" -xerrtags -n "demo$pid:::bussy"
want 1
first err "\[D_PROC_USDT\] provider 'demo' of process $pid has no probe 'bussy'\$"
has err 'hint: there are: busy, every-form, other-forms'
run "$DTRACE" -xerrtags -n "domo$pid:::busy"
want 1
first err "\[D_PROC_USDT\] process $pid has no provider 'domo'\$"
has err 'hint: there are: demo, demo2'
run "$DTRACE" -xerrtags -n 'demo4194999:::busy'
want 1
first err '\[D_PDESC_ZERO\]'
kill $pid
wait $pid
matches theirs '^up [0-9]+ times, now 0$'
done_testing
