"""What the scripts of tools/ cost beside the commands of bcc that do the same (Debian's package libbpf-tools): the time
until they are live, and what they add to an operation that they trace.

An operation is done by bench/ops.c. Its cost is the CPU time of the processes that do it, and that of the tracer, for
each operation; in a guest that counts instructions (one CPU), the time that passes is both.
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from common import ROUNDS, TOP, heading, in_guest

# Name, operation, how many on this machine and in a guest, clock. Requests to disks are traced in other threads, too.
JOBS = [
    ("execsnoop", "exec", 1000, 100, "cpu"),
    ("opensnoop", "open", 100_000, 2000, "cpu"),
    ("biolatency", "disk", 5000, 500, "wall"),
    ("tcpconnect", "connect", 5000, 500, "cpu"),
    ("tcplife", "connect", 5000, 500, "cpu"),
    ("runqlat", "switch", 50_000, 2000, "cpu"),
    ("vfsstat", "read", 500_000, 20_000, "cpu"),
    ("offcputime", "switch", 50_000, 2000, "cpu"),
]


def links(pid):
    """How many links of programs, and perf events, a process holds."""
    count = 0
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            target = os.readlink(f"/proc/{pid}/fd/{name}")
            count += "bpf_link" in target or "perf_event" in target
    except OSError:
        pass
    return count


def command(dtrace, who, name):
    return [dtrace, "-s", str(TOP / f"tools/{name}.d")] if who == "dtrace" else [f"/usr/sbin/{name}"]


def end(process):
    """By Ctrl-C, which a command that is still starting may lose."""
    for _ in range(20):
        if process.poll() is not None:
            return
        process.send_signal(signal.SIGINT)
        try:
            process.wait(6)
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    process.wait()


def start_ms(dtrace, who, name):
    """From its start to its first line, or, of a command that prints none, to its first link; None where it fails."""
    argv = command(dtrace, who, name)
    argv = argv if who == "dtrace" else ["stdbuf", "-oL", *argv, *(["1"] if name == "vfsstat" else [])]
    begun = time.perf_counter()
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        if name == "offcputime" and who == "bcc":
            while links(process.pid) == 0:
                if process.poll() is not None:
                    return None
                time.sleep(0.001)
        elif not os.read(process.stdout.fileno(), 4096):
            return None
        return (time.perf_counter() - begun) * 1e3
    finally:
        process.stdout.close()
        process.kill()
        process.wait()


class Load:
    def __init__(self, build, work, counted):
        self.ops = str(build / "bench/ops")
        self.counted = counted
        self.device = None
        disk = pathlib.Path(work) / "disk"
        with disk.open("wb") as file:
            file.truncate(1 << 20)
        made = subprocess.run(["losetup", "-f", "--show", str(disk)], capture_output=True, text=True)
        self.device = made.stdout.strip()

    def ns(self, kind, n, clock):
        argv = [self.ops, kind, str(n), "wall" if self.counted else clock]
        argv += [self.device] if kind == "disk" else ["/bin/true"] if kind == "exec" else []
        return float(subprocess.run(argv, capture_output=True, check=True, text=True).stdout)

    def close(self):
        if self.device:
            subprocess.run(["losetup", "-d", self.device], check=False)


def used_ns(pid):
    """CPU time of a process."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def traced_ns(dtrace, who, job, load):
    """What an operation takes while the tool runs, and what the tool takes for it; None where it does not run."""
    name, kind, here, guest, clock = job
    n = guest if load.counted else here
    with tempfile.NamedTemporaryFile() as out:
        process = subprocess.Popen(command(dtrace, who, name), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        try:
            limit = time.monotonic() + 120
            while links(process.pid) == 0:
                if process.poll() is not None or time.monotonic() > limit:
                    return None
                time.sleep(0.01)
            time.sleep(1)  # bcc's attach the rest of their programs, and say nothing
            if process.poll() is not None:
                return None
            before = used_ns(process.pid)
            took = load.ns(kind, n, clock)
            time.sleep(0 if load.counted else 0.3)  # what is left to print
            return took, 0 if load.counted else (used_ns(process.pid) - before) / n
        finally:
            end(process)


def best(pairs):
    """The least of both together."""
    pairs = [pair for pair in pairs if pair]
    return min(pairs, key=sum) if pairs else (float("nan"), float("nan"))


def bench_start(dtrace, rounds=2 * ROUNDS):
    print(f"{'ms until it is live':<24}{'dtrace':>9}{'bcc':>9}{'ratio':>8}  (below 1)")
    for name, *_ in JOBS:
        ms = {"dtrace": [], "bcc": []}
        for _ in range(rounds):
            for who in ms:
                ms[who].append(start_ms(dtrace, who, name) or float("nan"))
        ours, theirs = min(ms["dtrace"]), min(ms["bcc"])
        print(f"{name:<24}{ours:>9.1f}{theirs:>9.1f}{ours / theirs:>8.2f}", flush=True)


def bench_events(dtrace, build, counted=False):
    unit = "instructions" if counted else "ns"
    print(f"{unit + ' that it adds to':<32}{'alone':>9}{'dtrace':>9}{'itself':>9}{'bcc':>9}{'itself':>9}{'ratio':>8}  (below 1)")
    with tempfile.TemporaryDirectory() as work:
        load = Load(build, work, counted)
        try:
            for job in JOBS:
                name, kind, here, guest, clock = job
                alone, ours, theirs = [], [], []
                for _ in range(1 if counted else ROUNDS):
                    alone += [load.ns(kind, guest if counted else here, clock) for _ in range(2)]
                    ours.append(traced_ns(dtrace, "dtrace", job, load))
                    theirs.append(traced_ns(dtrace, "bcc", job, load))
                base, (our, us), (their, them) = min(alone), best(ours), best(theirs)
                print(f"{name + ': ' + kind:<32}{base:>9.0f}{our - base:>9.0f}{us:>9.0f}{their - base:>9.0f}{them:>9.0f}"
                      f"{(our - base + us) / (their - base + them):>8.2f}", flush=True)
        finally:
            load.close()


def bench(tools):
    heading("scripts of tools/, and bcc's commands for the same (libbpf-tools)")
    bench_start(tools.dtrace)
    bench_events(tools.dtrace, tools.build)
    in_guest(tools, "tools-guest", "6.12")


def bench_in_guest(tools):
    bench_start(tools.dtrace, rounds=1)
    bench_events(tools.dtrace, tools.build, counted=True)
