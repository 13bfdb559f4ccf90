# Probes that a program makes while it runs (dtrace/probes.h): values exactly, in files and in memory; lists and
# patterns, processes that start later, threads, children, freed while they are traced.
# @@timeout: 120
. "$TESTS/lib.sh"
made=$BUILD/tests/workloads/made
run "$made"
want 0
same out 'made\nup 0\nfreed: ENXIO\n'
clauses='
madeby_cPID:::every-size { printf("every %d %d %d %x %s %u %s\n", args[0], args[1], args[2], args[3], stringof(args[4]), args[5], probefunc); @ups = count(); }
madeby_cPID:::every-size /(int)arg0 == args[0] && arg5 == args[5]/ { @same = count(); }
madeby_cPID:::seven { @seven = count(); @sum = sum(arg0 + arg1 * 10 + arg2 * 100 + arg3 * 1000 + arg4 * 10000 + arg5 * 100000 + args[6]); }
madeby_cPID:::ten-of-them /args[0] == 1 && args[5] == 6 && args[7] == -8 && args[8] == -9 && args[9] == 1ull << 63/
{ @ten[stringof(args[6]), probefunc] = count(); }
madeby_cPID:::none { @none = count(); }
madeby_cPID:madeby_c:many:many_* { @many = count(); @numbers = sum(arg0); @last = max(arg0); }
END { printa("ups %@d ", @ups); printa("same %@d ", @same); printa("seven %@d %@d ", @seven, @sum); printa("ten %s %s %@d ", @ten); printa("none %@d ", @none);
  printa("many %@d %@d %@d\n", @many, @numbers, @last); }'
check_values() {
  for i in 0 1 2 3 4 5 6 7 8 9; do
    [ "$i" = 0 ] && value=0 || value=-$i
    has "$1" "every $value 255 -32768 8001 a string 400000000$i main"
  done
  [ "$(grep -c ^every "$work/$1")" = 10 ] || fail 'every-size fires ten times'
  has "$1" "ups 10 same 10 seven 10 6543140 ten seventh Some.method<int>() 10 none 10 many 600 179700 599"
}
# What has run once is known by its files: a process may make them later, named or any.
run "$DTRACE" -Z -q -c "$made" -n "$(printf %s "$clauses" | sed 's/PID/$target/')"
want 0
check_values out
has out 'up 10'
run "$DTRACE" -Z -q -c "$made" -n "$(printf %s "$clauses" | sed 's/PID/*/')"
want 0
check_values out
run "$DTRACE" -xerrtags -q -c "$made" -n 'madeby_c$target:::none { }'
want 1
first err '\[D_PROC_USDT\]'
matches err '^hint: -Z traces /tmp/dtrace-probes-[0-9]+/madeby_c.so.[0-9a-f]+ once it is mapped$'
run "$DTRACE" -q -c "$made" -n 'madeby_c$target:::nune { }'
want 1
grep -q -e -Z "$work/err" && fail 'a file that has no such probe is of no use'
# Those that are there, by name and pattern, in a file and in memory.
for where in file private; do
  [ $where = private ] && word=private || word=
  "$made" $word wait >"$work/made_$where" &
  pid=$!
  until_true 10 grep -q made "$work/made_$where"
  [ $where = private ] && pattern=madeby_c$pid || pattern='madeby_c*'
  run "$DTRACE" -l -n "$pattern:::"
  want 0
  [ "$(grep -c " madeby_c$pid " "$work/out")" = 605 ] || fail "list, $where"
  matches out "madeby_c$pid +madeby_c.so.[0-9a-f]{16} +Some.method<int>\(\) ten-of-them\$"
  run "$DTRACE" -lv -p $pid -n 'madeby_c$target:::every-size'
  want 0
  for type in int 'unsigned char' short uint16_t 'userland const char \*' size_t; do
    matches out "^	*args\[[0-5]\]: $type\$"
  done
  # The second turn of the program that is seen, whole.
  run "$DTRACE" -q -n "
madeby_c$pid:::many_599 { turns++; }
madeby_c$pid:::many_599 /turns == 2/ { exit(0); }
madeby_c$pid:::every-size /turns == 1/ { printf(\"every %d %d %d %x %s %u %s\n\", arg0, arg1, arg2, arg3, copyinstr(arg4), arg5, probemod); }
madeby_c$pid:::none /turns == 1/ { @none = count(); }
END { printa(\"none %@d\n\", @none); }"
  want 0
  has out 'none 10'
  for i in 1 5 9; do matches out "^every -$i 255 -32768 8001 a string 400000000$i madeby_c.so.[0-9a-f]{16}\$"; done
  # Of those that start later, what shares the files.
  if [ $where = file ]; then
    run "$DTRACE" -q -c "$made" -n 'madeby_c*:::ten-of-them /pid == $target/ { @[probeprov == strjoin("madeby_c", lltostr($target))] = count(); }'
    want 0
    matches out '^ +1 +10$'
  fi
  kill $pid
  wait $pid 2>/dev/null
done
# Four threads; a child of its own, and followed.
run_undisturbed "$DTRACE" -Z -q -c "$made threads" -n 'madeby_c$target:::number { @ = sum(arg0); @t[tid] = count(); } END { printa("sum %@d ", @); printa("thread %@d ", @t); }'
want 0
has out 'sum 4000 thread 1000 thread 1000 thread 1000 thread 1000 '
run "$DTRACE" -Z -q -c "$made fork" -n 'madeby_c$target:::number { @ = sum(arg0); } END { printa("sum %@d", @); }'
want 0
has out 'sum 21'
run "$DTRACE" -Z -q -xfollow -c "$made fork" -n 'madeby_c$target:::number { @[pid == $target] = sum(arg0); } END { printa("%d: %@d ", @); }'
want 0
has out '0: 10 1: 21 '
# Freed and made again while they are traced, and fired by threads all the while; what is printed has names.
run_undisturbed "$DTRACE" -Z -q -c "$made rounds" -n 'madeby_c$target:madeby_c:firing:number { @[probemod, probefunc, ufunc(ucaller)] = count(); }'
want 0
[ "$(grep -c '^round 1$' "$work/out")" = 20 ] || { fail 'rounds'; cat "$work/out"; }
matches out '^  madeby_c.so.[0-9a-f]{16} +firing +(made.dtrace_site_fire|0x0) +[0-9]+$'
grep madeby_c.so "$work/out" | grep -qvE ' firing +(made.dtrace_site_fire|0x0) +[0-9]+$' && { fail 'other callers'; cat "$work/out"; }
# Each round maps another file, and until its unwind table is there, callers are 0; each of these is reported.
[ "$(sed -n 's/.* 0x0 *//p' "$work/out")" = "$(sed -n 's/^dtrace: \([0-9]*\) user stacks\? \(is\|are\) cut short: code had just.*/\1/p' "$work/err")" ] ||
  { fail 'callers that are absent are not those that are reported'; cat "$work/out" "$work/err"; }
# Freed, and the process gone: what was seen has names.
"$made" leave >"$work/made_leaves" &
pid=$!
until_true 10 grep -q made "$work/made_leaves"
run "$DTRACE" -q -w -p $pid -n 'madeby_c$target:::none { @[ustack(2)] = count(); raise(10); }'
want 0
matches out '^ +madeby_c.so.[0-9a-f]{16}.none\+0x4$'
matches out '^ +made.dtrace_site_fire\+0x[0-9a-f]+$'
matches made_leaves '^freed: ENXIO$'
# Where files may not be executed, the object is in memory.
if command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
  unshare -m sh -c 'mount -t tmpfs -o noexec none /tmp && exec /proc/self/fd/9 wait' 9<"$made" >"$work/made_noexec" &
  pid=$!
  until_true 10 grep -q made "$work/made_noexec"
  grep -q '/memfd:madeby_c.so' /proc/$pid/maps || fail 'not in memory'
  run "$DTRACE" -q -n "madeby_c$pid:::none { exit(0); }"
  want 0
  kill $pid
  wait $pid 2>/dev/null
fi
# A tracer that is killed leaves nobody who looks.
"$made" wait >"$work/made_killed" &
pid=$!
until_true 10 grep -q made "$work/made_killed"
"$DTRACE" -q -n "madeby_c$pid:::none { printf(\"seen\n\"); }" >"$work/ours" &
tracer=$!
until_true 10 grep -q seen "$work/ours"
kill -9 $tracer
wait $tracer 2>/dev/null
run "$DTRACE" -q -n "madeby_c$pid:::none { exit(0); }"
want 0
kill $pid
wait $pid 2>/dev/null
done_testing
