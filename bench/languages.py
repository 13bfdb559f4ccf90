"""What one traced getppid() costs more than an untraced one, for the same job in D and in the SystemTap language, beside
hand-written BPF C (bench/hand).
"""
import pathlib
import signal
import tempfile

from common import heading
from event import best_of_rounds, measure, measure_dtrace, measure_hand, write_script

# name, hand-written object, D, SystemTap.
JOBS = [
    ("count", "count", "syscall::getppid:entry { @ = count(); }",
     "global s probe syscall.getppid { s <<< 1 } probe end { println(@count(s)) }"),
    ("n++", "count", "syscall::getppid:entry { @ = sum(1); }",
     "global n probe syscall.getppid { n++ } probe end { println(n) }"),
    ("count by execname", "execname", "syscall::getppid:entry { @[execname] = count(); }",
     "global a probe syscall.getppid { a[execname()] <<< 1 } probe end { foreach (k in a) println(@count(a[k])) }"),
    ("sum by pid, execname", "pid_execname", "syscall::getppid:entry { @[pid, execname] = sum(1); }",
     "global a probe syscall.getppid { a[pid(), execname()] <<< 1 } "
     "probe end { foreach ([p, k] in a) println(@sum(a[p, k])) }"),
    ("histogram of powers of two", "quantize", "syscall::getppid:entry { @ = quantize(cpu); }",
     "global s probe syscall.getppid { s <<< cpu() } probe end { print(@hist_log(s)) }"),
]
READY = 'probe begin { println("ready") } '


def bench(tools):
    heading("ns that one traced getppid() costs more, by language (best of rounds)")
    print(f"{'job':<32}{'untraced':>9}{'hand C':>9}{'D':>9}{'stap':>9}{'D/C':>8}{'stap/C':>8}{'stap/D':>8}")
    stap = str(pathlib.Path(tools.dtrace).parent / "stap")
    for name, obj, d, script in JOBS:
        with tempfile.NamedTemporaryFile("w", suffix=".d") as file:
            write_script(pathlib.Path(file.name), d)
            base, hand, ours, theirs = best_of_rounds(
                tools, hand=lambda baseline: measure_hand(tools, tools.objects / f"{obj}_1.bpf.o", False, baseline),
                D=lambda baseline: measure_dtrace(tools, file.name, False, baseline),
                stap=lambda baseline: measure(tools, [stap, "-e", READY + script], baseline, signal.SIGINT))
        print(f"{name:<32}{base:>9.1f}{hand:>9.1f}{ours:>9.1f}{theirs:>9.1f}"
              f"{ours / hand:>8.2f}{theirs / hand:>8.2f}{theirs / ours:>8.2f}", flush=True)
