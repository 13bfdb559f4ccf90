# @@host
# Functions of the library, and aliases of signals and processes, against what the program did.
. "$TESTS/lib.sh"
run "$STAP" -e '
probe begin {
  println(sigset_mask_str(3)) println(sa_flags_str(0x10000004)) println(sa_handler_str(1)) println(signal_str(15))
  printdln(" ", return_str(1, -2), return_str(1, 5), return_str(2, 255), return_str(3, 8))
  println(usrdev2kerndev(0x801) == MKDEV(8, 1)) println(msg_flags_num2str(0x42)) println(sock_prot_str2num("TCP"))
  println(fp_to_string(fp_div(long_to_fp(7), string_to_fp("2")), 2)) println(fp_to_long(string_to_fp("-2.5"), 1, 0))
  println(fp_lt(long_to_fp(1), long_to_fp(2)) + fp_eq(fp_sqrt(long_to_fp(9)), long_to_fp(3)) + fp_le(long_to_fp(2), long_to_fp(1)))
  println(fp_to_string(fp32_to_fp64(0x3fc00000), 1)) println(num_online_cpus() == '"$(getconf _NPROCESSORS_ONLN)"')
  println(pid2execname('$$') == "'"$(cat /proc/$$/comm)"'") println(pid2execname(999999999) == "")
  exit()
}'
want 0
cat > "$work/wanted" <<'TEXT'
HUP,INT
SIGINFO|RESTART
ignored
SIGTERM
-2 (ENOENT) 5 0xff 010
1
PEEK|DONTWAIT
6
3.50
-2
2
1.5
1
1
1
TEXT
cmp -s "$work/wanted" "$work/out" || { fail "functions"; diff "$work/wanted" "$work/out"; cat "$work/err"; }
cat > "$work/life.py" <<'PYTHON'
import os, signal, threading
signal.signal(signal.SIGUSR1, lambda *_: None)
os.kill(os.getpid(), signal.SIGUSR1)
child = os.fork()
if child == 0:
    os.execv("/bin/true", ["true"])
os.waitpid(child, 0)
PYTHON
run "$STAP" -e '
probe signal.syskill { if (pid() == target()) printf("%s %d %s %s\n", name, sig_pid == target(), sig_name, pid_name == execname() ? "self" : pid_name) }
probe signal.syskill.return { if (pid() == target()) printf("%s: %s\n", name, retstr) }
probe signal.send { if (pid() == target() && sig == 10) printf("sent %s %s %d\n", sig_name, si_code, sig_pid == target()) }
probe signal.handle { if (pid() == target() && sig == 10) printf("handled %s %d\n", sig_name, sa_handler > 1) }
probe signal.do_action { if (pid() == target() && sig == 10) printf("%s %s\n", name, sig_name) }
probe kprocess.start { if (ppid() == target()) println("started") }
probe kprocess.exec { if (ppid() == target()) printf("executes %s: %d\n", filename, isinstr(argstr, "/bin/true")) }
probe scheduler.process_wait { if (pid() == target()) waits++ }
probe scheduler.wakeup, scheduler.wakeup_new { if (task_cpu < 0 || name == "") println("wakeup") }
probe scheduler.ctxswitch { if (nexttsk_state != 0 && next_tid == tid()) println("state") }
probe end { println(waits > 0) }
global waits
' -c "python3 $work/life.py"
want 0
[ "$(grep -v '^executes' "$work/out" | sort -u)" = "$(printf '%s\n' 'do_sigaction SIGUSR1' 'kill 1 SIGUSR1 self' 'sent SIGUSR1 SI_USER 1' 'handled SIGUSR1 1' 'kill: 0' started 1 | sort)" ] ||
  { fail "signals and processes"; cat "$work/out" "$work/err"; }
has out 'executes /bin/true: 1'
# Memory: an error, an answer or a warning where it cannot be read.
run "$STAP" -e '
probe syscall.chdir {
  if (pid() != target()) next
  printf("%d %d %d\n", user_uint8_error($filename), user_int16_error($filename) == 47 + 116 * 256, user_ulong($filename) > 0)
  println(user_string_warn($filename)) println(user_string_n_warn($filename, 3)) println(user_string_nofault($filename))
  try { println(user_int_error(8)) } catch { println("error") }
  println(user_string_warn(16)) println(user_long_warn(24)) println(user_string2_warn(32, "none"))
  println(user_string_n(16, 2, "nothing")) println(user_string_n($filename, 3, "nothing"))
  println(user_string_n_warn(16, 2)) println(user_string_n_warn(16, 2, "no")) println(user_string_warn(16, "no"))
}' -c "sh -c 'cd /tmp'"
want 0
[ "$(cat "$work/out")" = '47 1 1
/tmp
/tm
/tmp
error

0
none
nothing
/tm
<unknown>
no
no' ] || { fail "memory"; cat "$work/out" "$work/err"; }
[ "$(grep -c 'WARNING: user .* fault' "$work/err")" = 6 ] || { fail "warnings"; cat "$work/err"; }
for refused in 'print_regs()' 'switch_file()' 'set_user_int(1, 2)' 'udelay(5)'; do
  run "$STAP" -p2 -g -e "probe syscall.read { $refused }"
  want 1
  has err 'is not available: '
done
done_testing
