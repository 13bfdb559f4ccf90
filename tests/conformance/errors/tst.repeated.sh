# A clause that faults at every firing says so once, and how often it came again; ERROR fires for each.
. "$TESTS/lib.sh"
run "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { trace(copyinstr(16)); } ERROR { n++; } END { printf("%d", n); }' \
  -c "python3 -c 'import os
for i in range(1000): os.getppid()'"
want 0
same out '1000\n'
error='error on enabled probe ID [0-9]+ \(ID [0-9]+: syscall:vmlinux:getppid:entry\): invalid address \(0x10\) in action #1 at 1:49'
first err "^dtrace: $error\$"
[ "$(grep -vcE "^dtrace: $error(: [0-9]+ more times)?\$" "$work/err")" = 0 ] || fail 'other messages'
sum=$(($(sed "s|.*: \([0-9]*\) more times\$|\1|; t; s|.*|1|" "$work/err" | paste -sd+)))
[ "$sum" = 1000 ] || { fail "$sum faults are said"; cat "$work/err"; }
# As lines of JSON each is there.
run "$DTRACE" -x oformat=jsonl -n 'tick-1ms { n++; } tick-1ms /n < 4/ { trace(*(int *)16); } tick-1ms /n == 5/ { exit(0); }'
want 0
[ "$(grep -c '"type":"error"' "$work/out")" = 3 ] || fail 'not every fault is a line'
# Which argument has the string.
run "$DTRACE" -qn 'syscall::openat:entry /pid == $target/ { trace(copyinstr(arg0)); exit(0); }' -c 'cat /dev/null'
has err 'hint: arg0 is no address but a number (args[0] is of type int); the string is arg1 (args[1] is of type const char *)'
done_testing
