#!/usr/bin/env python3
"""What fires at one switch of threads fires in the order of what happens, whatever the order of the clauses."""
import collections
import itertools
import os
import subprocess
import sys

WANTED = ["preempt", "sleep", "enqueue", "dequeue", "off-cpu", "on-cpu"]
script = "".join(f'sched:::{name} {{ printf("%d %d %s\\n", cpu, timestamp, probename); }}' for name in reversed(WANTED))
done = subprocess.run([os.environ["DTRACE"], "-q", "-x", "bufsize=16m", "-n", script, "-c", "sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.01; done'"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
if done.returncode != 0:
    sys.exit(f"dtrace ended with {done.returncode}: {done.stderr}")
by_cpu = collections.defaultdict(list)
for line in done.stdout.split("\n"):
    if line:
        cpu, time, name = line.split()
        by_cpu[cpu].append((int(time), name))
switches = 0
for cpu, firings in by_cpu.items():
    names = [name for _, name in sorted(firings)]
    # Tracing may begin in the middle of a switch. A thread that is woken on another CPU is enqueued at any time.
    names = [name for name in itertools.dropwhile(lambda name: name != "off-cpu", names) if name != "enqueue"]
    for one, next_one in zip(names, names[1:]):
        follows = {"off-cpu": ["on-cpu"], "on-cpu": ["preempt", "sleep", "dequeue", "off-cpu"],
                   "preempt": ["dequeue", "off-cpu"], "sleep": ["dequeue", "off-cpu"], "dequeue": ["off-cpu"]}
        if next_one not in follows[one]:
            sys.exit(f"on CPU {cpu}, {next_one} comes behind {one}")
        switches += one == "off-cpu"
if switches < 10:
    sys.exit(f"{switches} switches of threads")
