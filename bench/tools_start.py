"""How long each tool of tools/ takes until its probes are live: CPU time and wall time, beside a bare syscall:::entry and
beside the command of libbpf-tools with the same name.

The rounds go over all commands in turn, and the least of each counts. CPU time is that of the process and of those that it
has started, but for a command that is traced. A tool is live when a BEGIN clause before it prints; a command of
libbpf-tools, when it prints its first line and holds a link or an event. Those that print nothing by then are left out.

--job names tools, with commas between them.
"""
import os
import pathlib
import select
import shutil
import signal
import subprocess
import time

from common import TOP, heading

ROUNDS = 8
LIVE = 'BEGIN { printf("live\\n"); }'
BARE = LIVE + " syscall:::entry { @[execname] = count(); }"
# What a tool needs to start at all.
MORE = {"memleak": ["-c", "sleep 1000"], "funcgraph": ["-c", "sleep 1000"], "trace": ["do_nanosleep"]}
LIMIT_S = 30
PEER_LIMIT_S = 2


def cpu_ns(pid):
    """CPU time of all threads of a process: its clock has the number ~pid << 3 | 2 (clock_getcpuclockid(3))."""
    try:
        return time.clock_gettime_ns((~pid) << 3 | 2)
    except OSError:
        return 0


def children(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:
        pass
    return found


def is_traced_command(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"sleep\0")
    except OSError:
        return True


def has_probes(pid):
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            target = os.readlink(f"/proc/{pid}/fd/{name}")
            if "bpf_link" in target or "perf_event" in target:
                return True
    except OSError:
        pass
    return False


def end(process):
    process.stdout.close()
    process.send_signal(signal.SIGINT)
    try:
        process.wait(PEER_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def live_ms(argv, is_peer):
    """CPU and wall time in ms until the command prints; None where it ends before, or is not live then."""
    begun = time.perf_counter()
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    prints = select.select([process.stdout], [], [], PEER_LIMIT_S if is_peer else LIMIT_S)[0]
    wall = time.perf_counter() - begun
    cpu = cpu_ns(process.pid) + sum(cpu_ns(pid) for pid in children(process.pid) if not is_traced_command(pid))
    is_live = prints and os.read(process.stdout.fileno(), 4096) and (not is_peer or has_probes(process.pid))
    end(process)
    return (cpu / 1e6, wall * 1e3) if is_live else None


def commands(dtrace, wanted):
    """By name and whether it is the peer's; that of no name is a bare syscall:::entry."""
    made = {("", False): [dtrace, "-q", "-n", BARE]}
    for script in sorted((TOP / "tools").glob("*.d")):
        name = script.stem
        if wanted and name not in wanted:
            continue
        made[name, False] = [dtrace, "-q", "-n", LIVE, "-s", str(script), *MORE.get(name, [])]
        peer = shutil.which(name, path="/usr/sbin")
        if peer and name not in MORE and not pathlib.Path(peer).resolve().name.endswith(".d"):
            made[name, True] = ["stdbuf", "-oL", peer]
    return made


def measure(argvs):
    """The least CPU and wall time of each; those that are not live after a start have none."""
    best = {}
    for number in range(ROUNDS):
        for key, argv in argvs.items():
            if number > 0 and key not in best:
                continue
            took = live_ms(argv, key[1])
            if took is not None:
                known = best.get(key, took)
                best[key] = (min(known[0], took[0]), min(known[1], took[1]))
    return best


def bench(tools):
    wanted = [] if tools.jobs == "*" else tools.jobs.split(",")
    heading("start of tools until live: CPU time, to a bare syscall:::entry (at most 1.5), to libbpf-tools (at most 1); wall time")
    argvs = commands(tools.dtrace, wanted)
    best = measure(argvs)
    bare = best["", False]
    print(f"{'bare syscall:::entry':<22}{bare[0]:>8.1f} ms {'':>14}{bare[1]:>8.1f} ms")
    ours = {name: took for (name, is_peer), took in best.items() if name and not is_peer}
    for name, (cpu, wall) in sorted(ours.items(), key=lambda entry: -entry[1][0]):
        peer = best.get((name, True))
        to_peer = f"{cpu / peer[0]:.2f}" if peer else ""
        print(f"{name:<22}{cpu:>8.1f} ms {cpu / bare[0]:>6.2f} {to_peer:>6} {wall:>8.1f} ms", flush=True)
    ratios = [cpu / bare[0] for cpu, _ in ours.values()]
    absent = sorted(name for name, is_peer in argvs if not is_peer and (name, False) not in best)
    print(f"{len(ratios)} tools, {sum(ratio <= 1.5 for ratio in ratios)} of them within 1.5; the mean is "
          f"{sum(ratios) / len(ratios):.2f}; not live here: {' '.join(absent) or 'none'}")
