# Every probe of proc against a program whose processes, threads and signals are known.
. "$TESTS/lib.sh"
trace_life() {
rm -f "$work/counts"
"$DTRACE" -q -x aggsortkey -o "$work/counts" -c "$BUILD/tests/workloads/life" -n '
proc:::create /progenyof($target)/
{
	@[probename, args[0]->pr_ppid == pid && args[0]->pr_pid != pid, 0] = count();
}
proc:::exec-success, proc:::start, proc:::lwp-start, proc:::lwp-exit /progenyof($target)/
{
	@[probename, tid == pid, 0] = count();
}
proc:::exec-failure, proc:::exit, proc:::signal-clear /progenyof($target)/
{
	@[probename, args[0], 0] = count();
}
proc:::exec /progenyof($target)/
{
	@paths[args[0]] = count();
}
proc:::exec-success /progenyof($target)/
{
	@paths[curpsinfo->pr_psargs] = count();
}
proc:::fault /progenyof($target)/
{
	@[probename, args[0], args[0] == FLTBOUNDS ? (int)args[1]->si_addr : args[1]->si_code] = count();
}
proc:::lwp-create /progenyof($target)/
{
	@[probename, args[1]->pr_pid == pid, args[0]->pr_lwpid != tid] = count();
}
proc:::signal-discard, proc:::signal-send /progenyof($target) && args[1]->pr_pid != $pid && args[2] != SIGCHLD/
{
	@[probename, args[2], args[0]->pr_lwpid == tid] = count();
}
proc:::signal-handle /progenyof($target)/
{
	@[probename, args[0], args[2] == NULL] = count();
}
END
{
	printa("%s %d %d %@d\n", @);
	printa("%s %@d\n", @paths);
}'
}
# 3 threads and one of a child; 5 forks, a vfork, and a child each for execve(), SIGTERM, a bad
# address, a division by zero and a leader that leaves first; two children of 3 threads that one signal
# ends, which is handled once. Nobody is sent one where a thread ends the others with _exit().
wanted='create 1 0 13
exec-failure 2 0 1
exec-success 1 0 1
exit 1 0 9
exit 2 0 5
fault 6 64 1
fault 8 1 1
lwp-create 1 1 8
lwp-exit 0 0 8
lwp-exit 1 0 14
lwp-start 0 0 8
lwp-start 1 0 13
signal-clear 10 0 4
signal-discard 10 1 1
signal-discard 28 1 1
signal-handle 8 1 1
signal-handle 9 1 1
signal-handle 11 1 1
signal-handle 12 0 1
signal-handle 15 1 2
signal-send 8 1 1
signal-send 9 1 1
signal-send 10 1 4
signal-send 11 1 1
signal-send 12 1 1
signal-send 15 1 2
start 1 0 13
/bin/true 1
/nonexistent/program 1
one two words 1

'
# Again where the kernel suppressed some of them; other programs' firings may be dropped.
run trace_life
while ! printf "$wanted" | cmp -s - "$work/counts" &&
  drops=$(grep -E '^dtrace: [0-9]+ drops? on CPU' "$work/err") && again $drops; do
  run trace_life
done
want 0
same counts "$wanted"
sed -i '/^dtrace: [0-9]* drops\{0,1\} on CPU/d' "$work/err"
same err ''
# A process starts before its first thread does.
run "$DTRACE" -q -c "sh -c '/bin/true; exit 0'" -n 'proc:::*start /progenyof($target)/ { printf("%s ", probename); }'
want 0
same out 'start lwp-start \n'
run "$DTRACE" -n 'proc:::exec { trace(args[1]); }'
want 1
has err 'index 1 is out of range for proc:::exec args[ ]'
run "$DTRACE" -xexplain=proc:::start
want 0
matches out '^proc:vmlinux::start \(ID [0-9]+\): program proc:start, key 0, tracepoint sys_exit$'
done_testing
