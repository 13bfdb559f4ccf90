"""What the probes of `pid` cost: to attach and to leave many, beside bpftrace, and one firing, beside a hand-written
program on one uprobe.multi link (bench/hand/uprobes.cc).
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from common import ROUNDS, heading

READY = "BEGIN { printf(\"ready\\n\"); }"
LIBC = os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6")
MOST = 1000


def functions():
    """Names of libc's functions with their offsets: those of code that is loaded where the file has it."""
    found = {}
    for line in subprocess.run(["nm", "-D", "--defined-only", LIBC], capture_output=True, text=True, check=True).stdout.splitlines():
        address, kind, name = line.split()
        if kind in "TW" and "@" in name:
            found.setdefault(name.split("@")[0], int(address, 16))
    return found


def times(argv, rounds, pause=0.0):
    """Best ms until the command is ready, and from then until it is gone."""
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        started = time.perf_counter()
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, BPFTRACE_MAX_PROBES=str(4 * MOST)))
        while b"ready" not in (line := process.stdout.readline()):
            if not line:
                return [float("nan"), float("nan")]
        best[0] = min(best[0], (time.perf_counter() - started) * 1e3)
        time.sleep(pause)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        process.wait(120)
        best[1] = min(best[1], (time.perf_counter() - started) * 1e3)
    return best


def bench_attach(dtrace, bpftrace, rounds):
    target = subprocess.Popen(["sleep", "600"])
    try:
        time.sleep(0.2)
        nothing = times([dtrace, "-qp", str(target.pid), "-n", READY], rounds)
        everything = times([dtrace, "-qp", str(target.pid), "-n", READY + " pid$target:libc::entry { @ = count(); }"], rounds)
        names = sorted(functions())
        chosen = names[:MOST]
        clauses = ", ".join(f"pid$target:libc:{name}:entry" for name in chosen)
        ours = times([dtrace, "-qZp", str(target.pid), "-n", READY + f" {clauses} {{ @ = count(); }}"], rounds)
        peer = ", ".join(f"uprobe:{LIBC}:{name}" for name in chosen)
        theirs = times([bpftrace, "-B", "none", "-p", str(target.pid), "-e", READY + f" {peer} {{ @ = count(); }}"], 1, 1.5)
    finally:
        target.kill()
        target.wait()
    print(f"pid$target:libc::entry, ms until live {everything[0]:.0f} (no probes: {nothing[0]:.0f}), "
          f"until gone {everything[1]:.0f} (at most 500)")
    print(f"{len(chosen)} functions, ms until live: {ours[0]:.0f}, bpftrace {theirs[0]:.0f}; until gone: {ours[1]:.0f}, "
          f"bpftrace {theirs[1]:.0f}; together {(theirs[0] + theirs[1]) / (ours[0] + ours[1]):.1f} times cheaper (at least 5)", flush=True)


def ns(argv):
    return float(subprocess.run(argv, capture_output=True, check=True, text=True).stdout.split()[0])


def bench_firing(dtrace, bpftrace, build, calls, rounds):
    """A firing at libc's syscall(), less the call that is not traced."""
    program = str(build / "bench/getppid")
    argv = [program, str(calls)]
    place = functions()["syscall"]
    best = dict.fromkeys(("alone", "hand", "ours", "all", "bpftrace"), float("inf"))
    with tempfile.TemporaryDirectory() as work:
        pathlib.Path(f"{work}/offsets").write_text(f"{place:x}\n")
        ways = {"hand": [str(build / "bench/uprobes"), str(build / "bench/uprobe_count_1.bpf.o"), LIBC, "0", f"{work}/offsets"],
                "ours": [dtrace, "-qn", READY + " pid*:libc:syscall:entry { @ = count(); }"],
                "bpftrace": [bpftrace, "-B", "none", "-e", READY + f" uprobe:{LIBC}:syscall {{ @ = count(); }}"]}
        for _ in range(rounds):
            best["alone"] = min(best["alone"], ns(argv))
            for name, way in ways.items():
                process = subprocess.Popen(way, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                while b"ready" not in (line := process.stdout.readline()) and line:
                    pass
                time.sleep(0.3)
                best[name] = min(best[name], ns(argv))
                if name == "bpftrace":
                    process.send_signal(signal.SIGINT)
                process.stdin.close()
                if name == "ours":
                    process.send_signal(signal.SIGINT)
                process.stdout.read()
                process.wait(60)
            for name, what in (("target", "syscall"), ("all", "")):
                done = ns([dtrace, "-qx", f"aggsize=1m", "-c", " ".join(argv), "-n", f"pid$target:libc:{what}:entry {{ @ = count(); }}"])
                best[name] = min(best.get(name, float("inf")), done)
    cost = {name: one - best["alone"] for name, one in best.items()}
    print("a firing, ns: hand-written {hand:.0f}, pid* {ours:.0f}, pid$target {target:.0f}, of all functions {all:.0f}, bpftrace "
          "{bpftrace:.0f}".format(**cost))
    print("to the hand-written program: pid* {:.3f}, pid$target {:.3f}, bpftrace {:.3f}  (at most 1.1)".format(
        *(cost[name] / cost["hand"] for name in ("ours", "target", "bpftrace"))), flush=True)


def bench(tools):
    heading("functions of a process: attaching to many, and a firing")
    bench_attach(tools.dtrace, tools.bpftrace, ROUNDS)
    bench_firing(tools.dtrace, tools.bpftrace, tools.build, tools.calls // 10, ROUNDS)
