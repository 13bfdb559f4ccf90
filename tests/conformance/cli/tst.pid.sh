. "$TESTS/lib.sh"
run "$DTRACE" -p 4194999 -n BEGIN
want 1
matches err '^dtrace: failed to grab pid 4194999: No such process$'
run "$DTRACE" -p abc -n BEGIN
want 1
same err 'dtrace: invalid pid: abc\n'
sleep 30 & blank=$!
run "$DTRACE" -q -p " $blank" -n 'BEGIN { trace($target); exit(0); }'
want 0
same out "$blank\n"
kill $blank
mkfifo "$work/end"
python3 -c 'import os, sys, threading
go = threading.Event()
threading.Thread(target=go.wait).start()
print(os.listdir("/proc/self/task")[-1], os.getpid(), flush=True)
sys.stdin.read()
go.set()' <"$work/end" >"$work/ids" &
exec 3>"$work/end"
until_true 10 grep -q . "$work/ids"
read -r thread process <"$work/ids"
run "$DTRACE" -p "$thread" -n BEGIN
want 1
same err "dtrace: failed to grab pid $thread: it is a thread of process $process\n"
exec 3>&-
sleep 0.7 &
sleeper=$!
run "$DTRACE" -p $sleeper -n 'END { printf("%d\n", $target); }'
want 0
has out "$sleeper"
matches err "^dtrace: pid $sleeper has exited\$"
done_testing
