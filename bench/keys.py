"""What an aggregation of a million keys takes to be read, sorted and printed: time, and memory for each key.
"""
import os
import signal
import subprocess
import tempfile
import time

from common import heading, start, wait_ready


def bench(tools):
    heading("an aggregation of a million keys: from Ctrl-C until it is read, sorted, printed and left")
    for keys, width in (("timestamp", 8), ("execname, timestamp", 24)):
        few, few_rss, _ = print_keys(tools, keys, 1000)
        lines, rss, wall = print_keys(tools, keys, 1_000_000)
        each = (rss - few_rss) / (lines - few)
        print(f"@[{keys}]: {lines} lines in {wall:.2f} s (at most 3 s), peak RSS {rss / 2**20:.0f} MiB, {each:.1f} bytes a key,"
              f" {each / (width + 8):.2f} times key and value (at most 1.5)", flush=True)


def print_keys(tools, keys, count):
    """Lines printed, peak RSS in bytes and s until the end, of an aggregation of a little over `count` keys."""
    with tempfile.NamedTemporaryFile() as out:
        process = start([tools.dtrace, "-qw", "-x", "aggsize=256m", "-n", "BEGIN { printf(\"ready\\n\"); } "
                         "syscall::getppid:entry { @[%s] = count(); } END { freopen(\"%s\"); }" % (keys, out.name)])
        wait_ready(process)
        subprocess.run([tools.getppid, str(count)], capture_output=True, check=True)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        used = os.wait4(process.pid, 0)[2]
        wall = time.perf_counter() - started
        process.stdout.close()
        return sum(1 for _ in open(out.name, "rb")), used.ru_maxrss * 1024, wall
