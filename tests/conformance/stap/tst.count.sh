# Calls are counted exactly, and a timer prints and deletes what was counted.
out=$("$STAP" -e 'global a, total, ended
  probe syscall.getppid { if (pid() == target()) { a[execname(), "calls"]++ } }
  probe syscall.exit_group { if (pid() == target()) ended = 1 }
  probe timer.ms(20) {
    foreach ([name, what] in a- limit 5) total += a[name, what]
    delete a
    if (ended) exit()
  }
  probe end { foreach ([name, what] in a) total += a[name, what] printf("%d\n", total) }' \
  -c "perl -e 'getppid() for 1..5000'") || exit 1
[ "$out" = 5000 ] || { echo "counted: $out"; exit 1; }
