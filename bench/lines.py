"""The highest rate of system calls of which every one is recorded and written as a line, beside bpftrace.
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from common import heading

# What is recorded, with which option, as D and as bpftrace; the last word of a line is the pid.
LINES = [
    ("trace(pid), default output", [], "trace(pid);", 'printf("%d\\n", pid);', "at least 1.5 and above bpftrace"),
    ("printf of four values", ["-q"], 'printf("%s %d %x %d\\n", execname, cpu, arg0, pid);',
     'printf("%s %d %x %d\\n", comm, cpu, args->__syscall_nr, pid);', "at least 2.5"),
]
RATES = (100_000, 200_000, 400_000, 800_000, 1_200_000, 1_600_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000, 4_000_000)


def bench(tools):
    heading("lines recorded without a drop, to a file; the load is on all CPUs")
    print("stepping the load: each step offers more system calls a second; a step with a drop, or more than it can do, ends it")
    print(f"untraced, the load manages {untraced(tools, RATES[-1]) / 1e6:.2f} M/s of {RATES[-1] / 1e6:.2f}")
    for name, options, d, bt, bar in LINES:
        best = {}
        for tool, action in (("dtrace", d), ("bpftrace", bt)):
            best[tool] = 0.0
            for rate in RATES:
                offered, recorded = one_step(tools, tool, options, action, rate)
                complete = recorded == offered
                print(f"  {name}: {tool:<9} offered {rate / 1e6:5.2f} M/s  calls {offered:>9}  lines {recorded:>9}"
                      f"  {'complete' if complete else 'lost'}", flush=True)
                if complete:
                    best[tool] = max(best[tool], offered / 1e6)  # what the load managed in its second
                if not complete or offered < 0.9 * rate:
                    break
        print(f"{name}: highest rate without a loss: dtrace {best['dtrace']:.2f} M/s, bpftrace {best['bpftrace']:.2f} M/s"
              f"  ({bar})", flush=True)


def untraced(tools, rate):
    """Calls a second that the load makes of those asked for."""
    with tempfile.NamedTemporaryFile() as go:
        return int(subprocess.run([str(tools.objects / "paced"), go.name, str(rate), "1", str(os.cpu_count())],
                                  capture_output=True, check=True).stdout)


def one_step(tools, tool, options, action, rate):
    seconds = 1.0
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work) / "out"
        go = pathlib.Path(work) / "go"
        load = subprocess.Popen([str(tools.objects / "paced"), str(go), str(rate), str(seconds), str(os.cpu_count())],
                                stdout=subprocess.PIPE)
        if tool == "dtrace":
            argv = [tools.dtrace, *options, "-o", str(out), "-n", "BEGIN { printf(\"ready\\n\"); }", "-n",
                    "syscall::getppid:entry /pid == %d/ { %s }" % (load.pid, action)]
        else:
            argv = [tools.bpftrace, "-B", "full", "-e", "BEGIN { printf(\"ready\\n\"); } "
                    "tracepoint:syscalls:sys_enter_getppid /pid == %d/ { %s }" % (load.pid, action)]
        with out.open("ab") as file:
            tracer = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.DEVNULL)
        time.sleep(2 if tool == "bpftrace" else 0.5)
        go.touch()
        offered = int(load.communicate()[0])
        time.sleep(0.5)
        for _ in range(12):  # bpftrace loses a signal that comes too early
            tracer.send_signal(signal.SIGINT)
            try:
                tracer.wait(10)
                break
            except subprocess.TimeoutExpired:
                continue
        else:
            tracer.kill()
            tracer.wait()
        word = str(load.pid).encode()
        recorded = sum(1 for line in out.open("rb") if line.split()[-1:] == [word])
        return offered, recorded
