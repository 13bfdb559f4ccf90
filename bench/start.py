"""How long a command takes until its probes are attached and until they are detached, and the memory that it takes, beside
bpftrace.
"""
import subprocess
import time

from common import ROUNDS, heading, row, start, stop, wait_ready


def wall_and_rss(tools, argv):
    """Best wall time in ms and peak RSS in MiB of a command."""
    best, rss = float("inf"), 0
    for _ in range(ROUNDS):
        wall, kib = subprocess.run([tools.measure, *argv], capture_output=True, check=True, text=True).stdout.split()
        best = min(best, float(wall))
        rss = max(rss, int(kib) / 1024)
    return best, rss


def live_times(tools, actions):
    """ms from the start of the command until its probes are live, the best of some, by the action."""
    best = dict.fromkeys(actions, float("inf"))
    for _ in range(4 * ROUNDS):
        for action in actions:
            started = time.perf_counter()
            process = start([tools.dtrace, "-q", "-n", "BEGIN { printf(\"ready\\n\"); } syscall::getppid:entry { %s; }" % action])
            wait_ready(process)
            best[action] = min(best[action], (time.perf_counter() - started) * 1e3)
            stop(process)
    return best


def bench(tools):
    heading("start and stop: dtrace, bpftrace, ratio")
    ours = wall_and_rss(tools, [tools.dtrace, "-n", "BEGIN { exit(0); }"])
    peer = wall_and_rss(tools, [tools.bpftrace, "-e", "BEGIN { exit(); }"])
    row("BEGIN { exit(0); }, wall", ours[0], peer[0], "ms", "0.1")
    row("BEGIN { exit(0); }, peak RSS", ours[1], peer[1], "MiB", "0.25")

    # Types and libraries are read when they are used; what each costs a one-liner.
    values = ("pid", "curthread->comm", "curpsinfo->pr_pid", "curpsinfo->pr_psargs", "fds[0].fi_name", "fds[0].fi_pathname")
    plain, *others = live_times(tools, [f"trace({value})" for value in values]).values()
    for value, took in zip(values[1:], others):
        row(f"trace({value}) to trace(pid), until live", took, plain, "ms", "1.5")

    live = {"dtrace": float("inf"), "bpftrace": float("inf")}
    gone = dict(live)
    for _ in range(ROUNDS):
        for tool, argv in (("dtrace", [tools.dtrace, "-q", "-n",
                                       "BEGIN { printf(\"ready\\n\"); } syscall:::entry { @[execname] = count(); }"]),
                           ("bpftrace", [tools.bpftrace, "-B", "none", "-e",
                                         "BEGIN { printf(\"ready\\n\"); } tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }"])):
            started = time.perf_counter()
            process = start(argv)
            wait_ready(process)
            live[tool] = min(live[tool], (time.perf_counter() - started) * 1e3)
            time.sleep(1.5)  # bpftrace loses a signal that comes too early
            gone[tool] = min(gone[tool], stop(process) * 1e3)
    row("main job, start until probes are live", live["dtrace"], live["bpftrace"], "ms", "0.25, about 10 ms")
    print(f"{'main job, Ctrl-C until exit':<44}{gone['dtrace']:>10.1f}{gone['bpftrace']:>10.1f} ms    (ours at most 50 ms)")


def bench_detach(tools):
    """How long detaching from every system call takes."""
    heading("leaving every system call's entry")
    process = start([tools.dtrace, "-q", "-n", "BEGIN { printf(\"ready\\n\"); } syscall:::entry,syscall:::return { @ = count(); }"])
    wait_ready(process)
    print(f"dtrace, entry and return of all calls:  {stop(process) * 1e3:10.1f} ms")
    process = start([tools.bpftrace, "-B", "none", "-e", "BEGIN { printf(\"ready\\n\"); } tracepoint:syscalls:sys_enter_* { @ = count(); }"])
    wait_ready(process)
    print(f"bpftrace, entry of all calls:           {stop(process) * 1e3:10.1f} ms")
