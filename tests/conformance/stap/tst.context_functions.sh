# Functions of the manual that say where a script is: probe_type(), registers_valid(), remote_id(), real_mount().
# @@host
. "$TESTS/lib.sh"
cat >"$work/script.stp" <<'E2'
global seen
function say(what, value) { if (!([what] in seen)) { seen[what] = 1 printf("%s: %s\n", what, value) } }
probe begin { say("begin", sprintf("%s %d [%s] %d", probe_type(), remote_id(), remote_uri(), registers_valid())) }
probe timer.ms(20) { say("timer", probe_type()) }
probe syscall.close { if (pid() == target()) say("call", probe_type()) }
probe syscall.close.return { if (pid() == target()) say("return of a call", probe_type()) }
probe kernel.trace("sched_switch") { say("trace", probe_type()) }
probe process("sh").library("libc").function("malloc") { if (ppid() == stp_pid()) say("function", sprintf("%s %d", probe_type(), registers_valid())) }
probe process("sh").library("libc").function("malloc").return { if (ppid() == stp_pid()) say("return", probe_type()) }
probe process("sh").begin { say("process", probe_type()) }
probe kernel.trace("sched_process_exec") {
  mnt = task_current()->mm->exe_file->f_path->mnt
  say("mount", sprint(@cast(real_mount(mnt), "mount")->mnt->mnt_root == @cast(mnt, "vfsmount")->mnt_root))
}
probe end { say("end", probe_type()) }
E2
run "$STAP" "$work/script.stp" -c "sh -c '/bin/true; sleep 0.1; /bin/true'"
want 0
for line in 'begin: begin -1 [] 0' 'timer: timer' 'call: tracepoint' 'return of a call: tracepoint' 'trace: tracepoint' 'function: uprobe 1' 'return: uretprobe' \
  'process: process' 'mount: 1' 'end: end'; do
  has out "$line"
done
# What is known of a process, against /proc.
cat >"$work/known.py" <<'E2'
import os
stat = open("/proc/self/stat").read().rsplit(") ", 1)[1].split()
size, _, _, text, _, data, _ = open("/proc/self/statm").read().split()
print("known", os.getpid(), os.getppid(), os.getuid(), os.getegid(), os.getpgrp(), os.getsid(0), open("/proc/self/comm").read().strip(),
      open(f"/proc/{os.getppid()}/comm").read().strip(), size, text, data, stat[15], stat[16], os.readlink("/proc/self/exe"), os.getcwd(), flush=True)
os.umask(0o777)
E2
run "$STAP" -e 'probe syscall.umask {
  if (pid() != target() || mask != 0777) next
  t = task_current()
  printf("known %d %d %d %d %d %d %s %s %d %d %d %d %d %s %s\n", pid(), ppid(), uid(), egid(), pgrp(), sid(), execname(), pexecname(),
         proc_mem_size(), proc_mem_txt(), proc_mem_data(), task_prio(t), task_nice(t),
         fullpath_struct_file(t, task_exe_file(t)), d_path(task_cwd_path(t)))
}' -c "python3 $work/known.py"
want 0
[ "$(grep -c '^known' "$work/out")" = 2 ] && [ "$(grep '^known' "$work/out" | sort -u | wc -l)" = 1 ] || { fail "what is known"; cat "$work/out" "$work/err"; }
# Functions with one or more arguments.
run "$STAP" -e 'probe begin {
  ansi_set_color(31) ansi_set_color(31, 42) ansi_set_color(31, 42, 1) ansi_cursor_move(7, 9)
  printf("%d %d\n", proc_mem_size(1) == proc_mem_size_pid(1), proc_mem_txt(1) == proc_mem_txt_pid(1))
  exit()
}'
want 0
[ "$(cat -v "$work/out")" = '^[[31m^[[31;42m^[[31;42;1m^[[7;9H1 1' ] || { fail "overloads"; cat -v "$work/out"; }
done_testing
