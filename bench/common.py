"""What the benches share: the commands that they compare, and how a tracer is started, awaited and ended.
"""
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
CALLS = 1_000_000
CALLS_IN_GUEST = 20_000
ROUNDS = 5


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def row(name, ours, peer, unit, bar):
    print(f"{name:<44}{ours:>10.1f}{peer:>10.1f} {unit:<5}{ours / peer:>8.3f}  (at most {bar})", flush=True)


def wait_ready(process, word=b"ready", limit=120):
    """Reads the tool's output until it says that its probes are live; seconds."""
    started = time.perf_counter()
    seen = b""
    while word not in seen:
        chunk = os.read(process.stdout.fileno(), 4096)
        if not chunk or time.perf_counter() - started > limit:
            raise RuntimeError(f"{process.args[0]} never became ready: {seen!r}")
        seen += chunk
    return time.perf_counter() - started


def start(argv, **more):
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **more)


def stop(process, sig=signal.SIGINT, limit=120):
    started = time.perf_counter()
    if sig is None:
        process.stdin.close()
    else:
        process.send_signal(sig)
    drain = process.stdout.read()
    process.wait(limit)
    del drain
    return time.perf_counter() - started


class Tools:
    def __init__(self, dtrace, build, jobs, calls):
        self.dtrace = str(dtrace)
        self.build = build
        self.jobs = jobs
        self.calls = calls
        self.load = str(build / "bench/load")
        self.getppid = str(build / "bench/getppid")
        self.measure = str(build / "bench/measure")
        self.symbols = str(build / "bench/symbols")
        self.flames = str(build / "bench/flames")
        self.objects = build / "bench"
        self.bpftrace = shutil.which("bpftrace")

    def call_ns(self):
        return float(subprocess.run([self.getppid, str(self.calls)], capture_output=True, check=True).stdout)


def in_guest(tools, name, kernel):
    """Runs the bench of this name in a guest that counts instructions."""
    command = [sys.executable, str(TOP / "bench/run"), "--dtrace", tools.dtrace, "--build", str(tools.build),
               "--job", tools.jobs, name]
    done = subprocess.run([str(TOP / "tests/vm/run"), "--dtrace", tools.dtrace, "--keep", str(tools.build), "--count",
                           "--kernel", kernel, "--limit", "900", "--exec", shlex.join(command)])
    if done.returncode != 0:
        print("not counted: see above")
