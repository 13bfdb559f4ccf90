# Calls, arguments, results and places of return of a program that knows them itself.
# @@timeout: 120
. "$TESTS/lib.sh"
calls=$BUILD/tests/workloads/calls
run "$DTRACE" -q -c "$calls" -n '
pid$target:a.out:eight:entry { printf("%d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7); }
pid$target:calls:eight:return { printf("= %d\n", arg1); }
pid$target:a.out:greet:entry { printf("%s\n", copyinstr(arg0)); }
pid$target:a.out:greet:return { printf("= %s\n", copyinstr(arg1)); }
pid$target::main:entry, pid$target::main:return { printf("%s %d\n", probename, arg1 == 0); }'
want 0
{
  echo 'entry 0'
  for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i 1 2 3 4 5 -6 ${i}000"; echo "= $((8001 * i + 28))"; done | sed 's/ 0000$/ 0/'
  printf 'world\n= hello\nyou\n= you\n'
} >"$work/wanted"
sed '/well$/d; /^return 1$/d; /^$/d' "$work/out" | cmp -s - "$work/wanted" ||
  { fail 'calls'; diff "$work/out" "$work/wanted"; }
has out 'all is well'
has out 'return 1'
run "$DTRACE" -l -c "$calls" -n 'pid$target:a.out:fib:entry'
want 0
matches out ' calls .* fib entry'
# All functions at once: each is counted, however it begins; a return tells its place.
run "$DTRACE" -q -x aggsortkey -c "$calls" -n '
pid$target:a.out:*[dps]:entry { @e[probemod, probefunc] = count(); }
pid$target:a.out:fib:entry { @e[probemod, "fib"] = count(); @s["n"] = sum(arg0); }
pid$target:a.out:fib:return { @s["result"] = sum(arg1); @e[probemod, "fib returns"] = count(); }
pid$target:a.out:two_returns:return, pid$target:a.out:onward:return, pid$target:a.out:marked_loop:return
{
	@r[probefunc, arg0] = count();
}
END { printa("%s %s %@d\n", @e); printa("%s %@d\n", @s); printa("%s+%x %@d\n", @r); }'
want 0
has out 'calls marked 10'
has out 'calls marked_loop 10'
has out 'calls onward 10'
has out 'calls patched 10'
has out 'calls two_returns 20'
has out 'calls fib 1973'
has out 'calls fib returns 1973'
has out 'n 4163'
has out 'result 6865'
has out 'two_returns+a 15'
has out 'two_returns+10 5'
has out 'onward+4 10'
has out 'marked_loop+c 10'
has out 'all is well'
# What an IFUNC has chosen, whatever it begins with.
run "$DTRACE" -q -x aggsortkey -c "$calls" -n '
pid$target:libc:memset:entry, pid$target:libc:strchr:entry { @e[probefunc, arg1 == 120 ? arg2 : arg1] = count(); }
pid$target:libc:strlen:return { @e["length", arg1] = count(); }
END { printa("%s %d %@d\n", @e); }'
want 0
matches out '^length 37 [1-9]'
matches out '^memset 37 1$'
matches out '^strchr 121 1$'
has out 'all is well'
# A process that is there already, by its number; libraries by the beginning of their names.
"$calls" wait >"$work/theirs" &
pid=$!
until_runs $pid "$calls wait"
run "$DTRACE" -q -p $pid -n "pid$pid:a.out:fib:entry { @[probeprov] = count(); } pid$pid:libc:usleep:entry /++n == 5/ { exit(0); }"
want 0
matches out "^  pid$pid +[0-9]+\$"
# All processes that have such a function, by a pattern.
"$calls" wait >/dev/null &
other=$!
until_true 10 sh -c "grep -q workloads/calls /proc/$other/maps && grep -q libc.so.6 /proc/$other/maps"
run "$DTRACE" -q -n '
  pid*:calls:fib:entry { @[probeprov] = count(); }
  pid*:calls:fib:entry /pid == $1/ { one = 1; }
  pid*:calls:fib:entry /pid == $2/ { another = 1; }
  tick-100ms /one && another/ { exit(0); }' $pid $other
want 0
matches out "^  pid$pid +[0-9]+\$"
matches out "^  pid$other +[0-9]+\$"
run "$DTRACE" -xerrtags -n 'pid*:calls:no_such_function:entry'
want 1
first err '\[D_PDESC_ZERO\]'
kill $other
# However we end, it goes on as if nothing had been.
"$DTRACE" -q -p $pid -n 'pid$target:a.out::entry, pid$target:a.out::return, pid$target:libc::entry { @ = count(); } tick-10ms { printf("go\n"); }' >"$work/ours" &
tracer=$!
until_true 60 grep -q go "$work/ours"
kill -9 $tracer
wait $tracer 2>/dev/null
# It calls usleep() again and again: it has gone on when it has waited a few times more.
waits() { awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$pid/status"; }
before=$(waits)
went_on() { [ "$(waits)" -gt $((before + 5)) ]; }
until_true 30 went_on
kill $pid
wait $pid || fail "the process ended with $?"
has theirs 'all is well'
done_testing
