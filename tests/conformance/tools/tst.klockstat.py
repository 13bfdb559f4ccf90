# Threads that wait for locks of the kernel for times that they know: tools/klockstat.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

from soundness import workload  # noqa: E402

with toolkit.Alone("klockstat") as plain, toolkit.Alone("klockstat", "-S", "-i", "1000") as stacks, toolkit.Alone("klockstat", "-p", toolkit.another()) as of_another:
    done = subprocess.run([workload("waits")], capture_output=True, text=True, timeout=60)
if "no userfaultfd" in done.stdout:
    print(done.stdout.strip())
    sys.exit(toolkit.SKIP)
waits = re.findall(r"^wait \S+ \d+ (\d+) (\d+)$", done.stdout, re.M)
if done.returncode != 0 or len(waits) < 2:
    sys.exit(f"the workload has not done its work: {done.stdout}{done.stderr}")
# What others wait for is among it, so all waits are a lower bound.
rows = [tuple(map(int, row)) for row in re.findall(r"^ *(\d+) +(\d+) +(\d+) +(\d+) \S+$", plain.ours, re.M)]
least = sum(int(wait[0]) for wait in waits) // 1000 - len(waits)
if sum(total for total, *_ in rows) < least or max(most for *_, most in rows) < max(int(wait[0]) for wait in waits) // 1000 - 1:
    sys.exit(f"wanted {least} us at least: {plain.ours}")
for total, count, average, most in rows:
    if not count * average <= total + count or not average <= most <= total + 1:
        sys.exit(f"a row that cannot be: {plain.ours}")
us = [int(text) for text in re.findall(r"^(\d+) us$", stacks.ours, re.M)]
if sum(us) < least or "`" not in stacks.ours:
    sys.exit(f"wanted {least} us at least: {stacks.ours}")
toolkit.same("of another", [row for row in toolkit.rows(of_another.ours) if "CALLER" not in row], [])
