"""The command stap: the CPU time of its start and of a list beside the same in D, of a sorted array that is printed, and how
exact a timer is. Programs that wait for their CPU take longer, so CPU time is what is compared.

If SYSTEMTAP names the stap of SystemTap, the same scripts also run beside its own runtime for BPF, which needs the
configuration of the kernel (`stap -r DIRECTORY`). Only those scripts are compared that it runs without debugging information.
"""
import os
import pathlib
import shlex
import subprocess

from common import ROUNDS, heading, row

ROWS = 2048
# An array of three keys, filled before the clock starts; the handler prints it sorted.
PRINTED = f"""global a
probe begin {{
  for (i = 0; i < {ROWS}; i++) a[i * 7919 % {ROWS}, "name", i & 3] = i
  t = gettimeofday_us()
  foreach ([n, name, k] in a-) printf("%d %s %d\\n", n, name, k)
  t = gettimeofday_us() - t
  printf("took %d\\n", t)
  exit()
}}"""
BESIDE = (
    ("begin { exit() }", "probe begin { exit() }"),
    ("1000 turns of a loop", "probe begin { for (i = 0; i < 1000; i++) s += i println(s) exit() }"),
    ("an array, sorted", 'global a probe begin { for (i = 0; i < 20; i++) a[i] = i * 7 % 20 '
                         'foreach (k in a- limit 3) printf("%d %d\\n", k, a[k]) exit() }'),
    ("functions and texts", 'function f(n) { return n . "!" } probe begin { println(f("a")) exit() }'),
    ("begin and end", 'global n probe begin { n = 6 exit() } probe end { printf("%d\\n", n * 7) }'),
)
TICKS = "global n probe timer.ms(1) { n++ } probe timer.s(1) { println(n) exit() }"


def best_ms(argv):
    """ms of CPU time of the command, in the kernel, too; the best of some."""
    best = float("inf")
    for _ in range(4 * ROUNDS):
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"{argv}: {process.returncode}")
        best = min(best, (usage.ru_utime + usage.ru_stime) * 1e3)
    return best


def number_of(stap, script, word=""):
    out = subprocess.run([stap, "-D", "MAXACTION_INTERRUPTIBLE=100000", "-e", script], capture_output=True, text=True,
                         check=True).stdout
    return int(out.split(word)[-1] if word else out)


def output_of(argv):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout


def beside(stap, systemtap):
    heading("stap, and stap --runtime=bpf of SystemTap: ms of CPU time, ratio")
    for name, script in BESIDE:
        ours, theirs = [stap, "-e", script], systemtap + ["--runtime=bpf", "-e", script]
        if output_of(ours).strip() != output_of(theirs).strip():
            raise RuntimeError(f"the outputs differ: {script}")
        row(name, best_ms(ours), best_ms(theirs), "ms", "1/4")


def bench(tools):
    heading("stap, and the same in D: ms of CPU time, ratio")
    dtrace, stap = str(tools.dtrace), str(pathlib.Path(tools.dtrace).parent / "stap")
    begin_d = best_ms([dtrace, "-q", "-n", "BEGIN { exit(0); }"])
    row("begin { exit() }", best_ms([stap, "-e", "probe begin { exit() }"]), begin_d, "ms", "10 ms")
    calls_d = best_ms([dtrace, "-q", "-n", "syscall:::entry { @[execname] = count(); } BEGIN { exit(0); }"])
    row("all system calls, live", best_ms([stap, "-e", "global a probe syscall.* { a[execname()]++ } probe begin { exit() }"]),
        calls_d, "ms", "40 ms")
    row("-L syscall.open", best_ms([stap, "-L", "syscall.open"]), best_ms([dtrace, "-lv", "-n", "syscall::open:entry"]), "ms",
        "30 ms")
    if "SYSTEMTAP" in os.environ:
        beside(stap, shlex.split(os.environ["SYSTEMTAP"]))
    heading("stap at home")
    printed = min(number_of(stap, PRINTED, "took ") for _ in range(4 * ROUNDS))
    print(f"{ROWS} sorted rows of 3 columns printed in {printed / 1e3:.1f} ms  (at most 5 ms)")
    print(f"timer.ms(1) runs {max(number_of(stap, TICKS) for _ in range(ROUNDS))} times a second  (at least 900)")
