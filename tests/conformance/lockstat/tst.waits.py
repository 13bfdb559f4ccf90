# Threads that wait for locks for times that they know, for holders that are known.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402

SCRIPT = """
lockstat:::adaptive-*, lockstat:::spin-spin
/pid == $target/ { printf("%s %d %x %d -1 -1 -1\\n", probename, tid, arg0, args[1]); }
lockstat:::rw-*
/pid == $target/ { printf("%s %d %x %d %d %d %d\\n", probename, tid, arg0, args[1], args[2] == RW_READER, args[3], args[4]); }
"""
# What each wait is for: the probe, whether it is a reader's, whether a writer has the lock, how many readers have it.
WANTED = {"mutex": ("adaptive-block", -1, -1, -1), "writer-of-writer": ("rw-block", 0, 1, 0),
          "writer-of-two": ("rw-block", 0, 0, 2), "reader-of-two": ("rw-block", 1, 0, 2)}

done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", workload("waits")],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
if "no userfaultfd" in done.stdout:
    print(done.stdout.strip())
    sys.exit(77)
waits = re.findall(r"^wait (\S+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
if [what for what, *_ in waits] != list(WANTED):
    sys.exit(f"the workload has not done its work: {done.stdout}")
locks = []
for what, tid, least, most in waits:
    # The thread may have waited for other locks, shortly.
    fired = [(name, int(lock, 16), int(ns), tuple(map(int, rest.split())))
             for name, lock, ns, rest in re.findall(rf"^(\S+) {tid} (\w+) (\d+) (.+)$", done.stdout, re.M)
             if int(ns) >= int(least)]
    if len(fired) != 1:
        sys.exit(f"{what}: {fired}, wanted one wait of {least} ns or more: {done.stdout}")
    name, lock, ns, rest = fired[0]
    locks.append(lock)
    if (name, *rest) != WANTED[what] or ns > int(most) or lock < 1 << 63:
        sys.exit(f"{what}: {fired[0]}, wanted {WANTED[what]} of {least} to {most} ns")
if locks[2] != locks[3] or len(set(locks)) != 3:
    sys.exit(f"the last two waits were for one lock, the others for others: {locks}")
names = "|".join(["adaptive-block", "adaptive-spin", "rw-block", "rw-spin", "spin-spin"])
for line in filter(None, done.stdout.splitlines()):
    if not re.fullmatch(rf"wait .*|({names}) \d+ [0-9a-f]+ \d+ -?\d+ -?\d+ -?\d+", line):
        sys.exit(f"not understood: {line}")
