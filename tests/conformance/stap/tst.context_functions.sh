# Functions of the manual that say where a script is: probe_type(), registers_valid(), remote_id(), stack_size(), real_mount().
# @@host
. "$TESTS/lib.sh"
cat >"$work/script.stp" <<'E2'
global seen
function say(what, value) { if (!([what] in seen)) { seen[what] = 1 printf("%s: %s\n", what, value) } }
probe begin { say("begin", sprintf("%s %d [%s] %d %d", probe_type(), remote_id(), remote_uri(), stack_size(), registers_valid())) }
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
for line in 'begin: begin -1 [] 16384 0' 'timer: timer' 'call: tracepoint' 'return of a call: tracepoint' 'trace: tracepoint' 'function: uprobe 1' 'return: uretprobe' \
  'process: process' 'mount: 1' 'end: end'; do
  has out "$line"
done
done_testing
