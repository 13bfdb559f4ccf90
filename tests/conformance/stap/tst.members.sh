# Members of structures, through the arguments of tracepoints: who runs after whom, and how a process ends.
out=$("$STAP" -e 'global seen
  probe scheduler.ctxswitch { if (prev_pid == target() && prev_task_name == "sh") seen = 1 }
  probe kernel.trace("sched:sched_process_exit") {
    if ($p->tgid == target()) printf("%s %d %d\n", kernel_string($p->comm), $p->exit_code >> 8, $p->pid == $p->group_leader->pid)
  }
  probe signal.send { if (sig_pid == target() && sig == 10) printf("%s to %s\n", sig_name, pid_name) }
  probe end { println(seen) }' -c "sh -c 'trap : USR1; kill -USR1 \$\$; sleep 0.05; exit 3'") || exit 1
[ "$out" = 'SIGUSR1 to sh
sh 3 1
1' ] || { echo "$out"; exit 1; }
