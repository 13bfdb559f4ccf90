"""With -x temporal the times of all records ascend, whatever CPU they are of; all of them come, and those of one firing
stay together."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

CALLS = 100_000
SCRIPT = """
syscall::getppid:entry /progenyof($target)/ { printf("%d %d a\\n", timestamp, cpu); }
syscall::getppid:entry /progenyof($target)/ { printf("%d %d b\\n", timestamp, cpu); n[cpu]++; }
END { printf("calls %d %d\\n", n[0], n[1]); }
"""
load = workload("getppid")
COMMAND = f"sh -c 'taskset -c 0 {load} {CALLS} & taskset -c 1 {load} {CALLS}; wait'"
if os.cpu_count() < 2:
    COMMAND = f"{load} {CALLS}"
while True:
    done = subprocess.run([DTRACE, "-q", "-x", "temporal", "-b", "16m", "-n", SCRIPT, "-c", COMMAND],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    if "drop" not in done.stderr:
        break
    again(done.stderr)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
*lines, calls = done.stdout.split("\n")[:-2]
rows = [(int(time), cpu, clause) for time, cpu, clause in (line.split() for line in lines)]
back = sum(1 for one, next in zip(rows, rows[1:]) if next[0] < one[0])
apart = sum(1 for one, next in zip(rows[::2], rows[1::2]) if (one[0], one[1], "b") != next)
print(f"{len(rows)} records, {back} are earlier than the one before, {apart} firings are apart; {calls}")
if back or apart:
    sys.exit("not in the order of time")
counted = sum(int(count) for count in re.findall(r"\d+", calls))
if 2 * counted != len(rows) or counted < CALLS:
    sys.exit("records are missing")
