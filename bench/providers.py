"""What a firing of fbt, and of io and tcp with their translators, costs beside hand-written BPF C (bench/hand) and
bpftrace; and how long fbt takes to attach to many functions, beside a bare link (bench/multi.c). Run in a guest that
counts instructions (bench/run providers). Of io and tcp, the ns that their programs run are also taken on this
machine, as the kernel counts them (kernel.bpf_stats_enabled).
"""
import contextlib
import fnmatch
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import bcc
from common import ROUNDS, heading, in_guest

COUNT = "{ @ = count(); }"
LATENCY = "%s { self->ts = timestamp; } %s /self->ts/ { @ = sum(timestamp - self->ts); self->ts = 0; }"
BT_LATENCY = "%s { @ts[tid] = nsecs; } %s /@ts[tid]/ { @ = sum(nsecs - @ts[tid]); delete(@ts[tid]); }"
# A function that getppid() calls; and more than dtrace gives a program each.
ONE, MANY = "fbt::__task_pid_nr_ns:", "fbt::__task*:"
# Name, hand-written object, D, bpftrace, operation of bench/ops.c, how many.
JOBS = [
    ("fbt, a function: count()", "fbt_count_1", f"{ONE}entry {COUNT}", "kfunc:__task_pid_nr_ns " + COUNT, "getppid", 20000),
    ("fbt, a function: latency", "fbt_latency_1", LATENCY % (ONE + "entry", ONE + "return"),
     BT_LATENCY % ("kfunc:__task_pid_nr_ns", "kretfunc:__task_pid_nr_ns"), "getppid", 20000),
    ("fbt, many: count()", "fbt_count_0", f"{MANY}entry {COUNT}", "kprobe:__task_pid_nr_n* " + COUNT, "getppid", 20000),
    ("fbt, many: latency", "fbt_latency_0", LATENCY % (MANY + "entry", MANY + "return"),
     BT_LATENCY % ("kprobe:__task_pid_nr_n*", "kretprobe:__task_pid_nr_n*"), "getppid", 20000),
    ("io: b_bcount", "io_bytes_1", "io:::start { @ = sum(args[0]->b_bcount); }",
     "tracepoint:block:block_rq_issue { @ = sum(args->bytes); }", "disk", 1000),
    ("io: dev_statname", "io_disk_1", "io:::start { @[args[1]->dev_statname] = count(); }", None, "disk", 1000),
    ("tcp send: ip_saddr, ip_plength", "tcp_bytes_1", "tcp:::send { @[args[2]->ip_saddr] = sum(args[2]->ip_plength); }",
     None, "connect", 1000),
    ("tcp send: tcp_dport", "tcp_port_1", "tcp:::send { @[args[4]->tcp_dport] = count(); }", None, "connect", 1000),
    ("tcp state-change: tcps_state", "tcp_state_1", "tcp:::state-change { @[args[3]->tcps_state] = count(); }",
     "tracepoint:sock:inet_sock_set_state { @[args->newstate] = count(); }", "connect", 1000),
]


class Load(bcc.Load):
    def __init__(self, build, work):
        super().__init__(build, work, True)
        self.getppid = str(build / "bench/getppid")

    def ns(self, kind, n, clock="wall"):
        if kind == "getppid":
            return float(subprocess.run([self.getppid, str(n)], capture_output=True, check=True).stdout)
        return super().ns(kind, n, clock)


def cost(argv, load, kind, n, base):
    """What an operation executes more while the command traces; nan where it does not start."""
    with tempfile.NamedTemporaryFile() as out:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL)
        try:
            limit = time.monotonic() + 120
            while b"ready" not in pathlib.Path(out.name).read_bytes()[:200]:
                if process.poll() is not None or time.monotonic() > limit:
                    return float("nan")
                time.sleep(0.05)
            time.sleep(1)
            return load.ns(kind, n) - base
        finally:
            process.stdin.close()
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def bench_firings(tools):
    print(f"{'job':<32}{'untraced':>9}{'hand C':>9}{'dtrace':>9}{'bpftrace':>9}{'dtrace/C':>9}{'dtrace/bt':>10}")
    with tempfile.TemporaryDirectory() as work:
        load = Load(tools.build, work)
        try:
            for name, hand, d, bt, kind, n in JOBS:
                if not fnmatch.fnmatch(name, tools.jobs):
                    continue
                base = min(load.ns(kind, n) for _ in range(2))
                ready = 'BEGIN { printf("ready\\n"); } '
                c = cost([tools.load, str(tools.objects / f"{hand}.bpf.o")], load, kind, n, base)
                ours = cost([tools.dtrace, "-q", "-n", ready + d], load, kind, n, base)
                peer = cost([tools.bpftrace, "-B", "line", "-e", ready + bt], load, kind, n, base) if tools.bpftrace and bt \
                    else float("nan")
                print(f"{name:<32}{base:>9.0f}{c:>9.0f}{ours:>9.0f}{peer:>9.0f}{ours / c:>9.2f}{ours / peer:>10.2f}", flush=True)
        finally:
            load.close()


STATS = "/proc/sys/kernel/bpf_stats_enabled"


def runs(pid):
    """What the programs of a process have run until now, in ns, and the most that one of them has run."""
    time_ns, count = 0, 0
    for info in pathlib.Path(f"/proc/{pid}/fdinfo").iterdir():
        with contextlib.suppress(OSError):
            fields = dict(line.split(":", 1) for line in info.read_text().splitlines() if ":" in line)
            if "run_cnt" in fields:
                time_ns += int(fields["run_time_ns"])
                count = max(count, int(fields["run_cnt"]))
    return time_ns, count


@contextlib.contextmanager
def tracing(argv):
    with tempfile.NamedTemporaryFile() as out:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL)
        try:
            limit = time.monotonic() + 30
            while b"ready" not in pathlib.Path(out.name).read_bytes()[:200] and time.monotonic() < limit:
                time.sleep(0.05)
            yield process.pid
        finally:
            process.stdin.close()
            bcc.end(process)


def bench_runs(tools):
    """All three programs are there at once, so that they see the same events."""
    print(f"{'ns of a firing, on this machine':<32}{'empty':>9}{'hand C':>9}{'dtrace':>9}{'dtrace/C':>9}"
          "  (less the empty one's; at most 1.2)")
    before = pathlib.Path(STATS).read_text()
    pathlib.Path(STATS).write_text("1")
    try:
        with tempfile.TemporaryDirectory() as work:
            load = Load(tools.build, work)
            try:
                for name, hand, d, _, kind, n in JOBS:
                    if kind == "getppid" or not fnmatch.fnmatch(name, tools.jobs):
                        continue
                    empty = "empty_1" if kind == "connect" else "empty_0"
                    commands = [[tools.load, str(tools.objects / f"{empty}.bpf.o")],
                                [tools.load, str(tools.objects / f"{hand}.bpf.o")],
                                [tools.dtrace, "-q", "-n", 'BEGIN { printf("ready\\n"); } ' + d]]
                    best = [float("inf")] * 3
                    with contextlib.ExitStack() as stack:
                        pids = [stack.enter_context(tracing(one)) for one in commands]
                        for _ in range(ROUNDS):
                            was = [runs(pid) for pid in pids]
                            load.ns(kind, n)
                            for i, pid in enumerate(pids):
                                time_ns, count = (a - b for a, b in zip(runs(pid), was[i]))
                                if count:
                                    best[i] = min(best[i], time_ns / count)
                    print(f"{name:<32}{best[0]:>9.1f}{best[1]:>9.1f}{best[2]:>9.1f}"
                          f"{(best[2] - best[0]) / (best[1] - best[0]):>9.2f}", flush=True)
            finally:
                load.close()
    finally:
        pathlib.Path(STATS).write_text(before)


def stages(text):
    return {m[1]: float(m[2]) for m in re.finditer(r"^(\w+) +([\d.]+) ms", text, re.M)}


def bench_attach(tools):
    """The stages of dtrace that attach and detach, beside a bare link over as many functions."""
    print(f"{'ms for many functions':<32}{'how many':>9}{'attach':>9}{'bare':>9}{'ratio':>7}{'detach':>9}{'bare':>9}{'ratio':>7}"
          "  (at most 1.2)")
    with open("/sys/kernel/tracing/available_filter_functions_addrs") as file:
        functions = [line.split() for line in file]
    for letters in ("u", "[a-p]"):
        done = subprocess.run([tools.dtrace, "-x", "stats", "-qn",
                               "fbt:vmlinux:%s*:entry { @ = count(); } BEGIN { exit(0); }" % letters],
                              capture_output=True, text=True)
        alone = subprocess.run([tools.dtrace, "-x", "stats", "-qn", "BEGIN { exit(0); }"], capture_output=True, text=True)
        ours, nothing = stages(done.stdout + done.stderr), stages(alone.stdout + alone.stderr)
        wanted = [line[0] for line in functions if re.match(letters, line[1]) and len(line) == 2]
        with tempfile.NamedTemporaryFile("w") as list_of:
            list_of.write("\n".join(wanted))
            list_of.flush()
            bare = subprocess.run([str(tools.objects / "multi"), list_of.name], capture_output=True, text=True).stdout.split()
        if not bare or "attach" not in ours:
            print(f"{letters}*: {done.stderr.strip()[:200]}")
            continue
        on, off = int(bare[0]) / 1e6, int(bare[1]) / 1e6
        stop = ours["stop"] - nothing["stop"]
        print(f"{letters + '*':<32}{len(wanted):>9}{ours['attach']:>9.1f}{on:>9.1f}{ours['attach'] / on:>7.2f}"
              f"{stop:>9.1f}{off:>9.1f}{stop / off:>7.2f}", flush=True)


def bench(tools):
    heading("fbt, io and tcp: time of programs, and instructions in guests")
    bench_runs(tools)
    for kernel in ("6.12", "newest"):
        in_guest(tools, "providers-guest", kernel)


def bench_in_guest(tools):
    if not os.path.exists("/sys/kernel/tracing/available_filter_functions_addrs"):
        print("this kernel does not tell which of its functions can be traced")
        return
    if fnmatch.fnmatch("attach", tools.jobs):
        bench_attach(tools)
    bench_firings(tools)
