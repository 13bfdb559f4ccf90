. "$TESTS/lib.sh"
run "$DTRACE" -p 4194999 -n BEGIN
want 1
matches err '^dtrace: failed to grab pid 4194999: No such process$'
run "$DTRACE" -p abc -n BEGIN
want 1
same err 'dtrace: invalid pid: abc\nhint: -p takes a number: pgrep -n abc prints it\n'
sleep 30 & blank=$!
run "$DTRACE" -q -p " $blank" -n 'BEGIN { trace($target); exit(0); }'
want 0
same out "$blank\n"
kill $blank
# The command, for tools that look at one process and for those with an option of their own.
run "$DTRACE" -q -p '$target' -c 'sleep 0.01' -n 'BEGIN { printf("%d %d", $target > 0, progenyof($target)); }'
want 0
same out '1 0\n'
run "$DTRACE" -q -p '$target' -n 'BEGIN { exit(0); }'
want 1
same err 'dtrace: invalid pid: $target\nhint: $target is the process of a command: -c COMMAND\n'

# The option of a tool is the process that its argument names.
sleep 30 & traced=$!
until_runs $traced "sleep 30"
run "$DTRACE" -s funclatency 'pid$target:libc:nanosleep' -p $traced -d 100ms
want 0
has out 'Calls of pid$target:libc:nanosleep are timed'
kill $traced

# Without a process, a predicate on $target is never true, which is said; what has another way is not.
run "$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @ = count(); } BEGIN { exit(0); }'
want 0
same err "dtrace: there is no process for \$target: 'pid == \$target' is never true\nhint: give a process to trace with -p PID or -c COMMAND\n"
run "$DTRACE" -q -n 'syscall::getppid:entry /arg0 == 0 && progenyof($target)/ { @ = count(); } BEGIN { exit(0); }'
want 0
has err "'progenyof(\$target)' is never true"
run "$DTRACE" -q -n 'syscall::getppid:entry /$target == 0 || pid == $target/ { @ = count(); } BEGIN { trace($target); exit(0); }'
want 0
same err ''
run "$DTRACE" -e -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }'
want 0
same err ''
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
sleep 300 &
sleeper=$!
run "$DTRACE" -w -p $sleeper -n 'BEGIN { system("kill %d", $target); } END { printf("%d\n", $target); }'
want 0
has out "$sleeper"
matches err "^dtrace: pid $sleeper has exited\$"
done_testing
