# scheduler.cpu_on knows the program's stack and its command line where the kernel says that a thread runs again.
. "$TESTS/lib.sh"
if ! "$DTRACE" -l -n sched:::resume >/dev/null 2>&1; then
  echo "this kernel has no sched_exit_tp"
  exit 77
fi
naps=$BUILD/tests/workloads/naps
run_undisturbed "$STAP" -e 'global n, slept, named
probe scheduler.cpu_on {
  if (pid() != target()) next
  n++
  if (isinstr(sprint_ubacktrace(), "nanosleep") && isinstr(sprint_ubacktrace(), "main")) slept++
}
probe scheduler.cpu_on { if (pid() == target() && isinstr(cmdline_str(), "/naps")) named++ }
probe end { printf("%d %d %d\n", n > 0, slept > 0, named > 0) }' -c "$naps"
want 0
same out '1 1 1\n'
# All turns of a thread but the first, which on-cpu has too.
run_undisturbed "$DTRACE" -qn 'sched:::on-cpu /pid == $target/ { all++; }
sched:::resume /pid == $target/ { again++; }
syscall::nanosleep:return, syscall::clock_nanosleep:return /pid == $target/ { here++; }
END { printf("%d %d\n", again > 0 && here == 1, all - again); }' -c "$naps"
want 0
matches out '^1 [01]$'
done_testing
