# Points of the session and of the kernel that are other points by another name.
[ "$("$STAP" -e 'probe oneshot { println("once") } probe end { println("end") }')" = 'once
end' ] || { echo oneshot; exit 1; }
out=$("$STAP" -e 'probe kernel.function("sys_getppid") { if (pid() == target()) println(pp()) }' -c 'perl -e getppid()')
[ "$out" = syscall.getppid ] || { echo "sys_: $out"; exit 1; }
# Context switches are counted by perf.
[ "$("$STAP" -e 'global n probe perf.type(1).config(3).sample(1) { if (n++ > 10) exit() }
  probe end { println(n > 10) }')" = 1 ] || { echo perf; exit 1; }
# process.begin also runs for the processes that there are.
out=$("$STAP" -e 'global here probe process.begin { if (pid() == '"$$"') here = execname() } probe begin { n = 0 }
  probe timer.ms(1) { printf("%s\n", here) exit() }')
[ -n "$out" ] || { echo begin; exit 1; }
