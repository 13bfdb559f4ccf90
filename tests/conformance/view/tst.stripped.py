"""Frames of a program without symbols are places in its file: processes of it, which have it at other addresses each, have one
stack together, and so has a recording of yesterday."""
# @@host
# @@timeout: 100
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from exports import reader, replay  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

CALLS, RUNS = 50, 4
bad = []
if not reader("strip") or not reader("nm"):
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="stripped-") as directory:
    program, recording = os.path.join(directory, "bare"), os.path.join(directory, "x.dtr")
    shutil.copy(workload("getppid"), program)
    symbols = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout
    begin, size = (int(number, 16) for number in re.search(r"^(\w+) (\w+) T main$", symbols, re.M).groups())
    subprocess.run(["strip", "-s", program], check=True)
    done = subprocess.run([DTRACE, "-q", "-x", "oformat=folded", "-x", f"record={recording}", "-n",
                           "syscall::getppid:entry /execname == \"bare\"/ { @[ustack(2)] = count(); }",
                           "-c", "sh -c '" + f"{program} {CALLS}; " * RUNS + ":'"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    found = re.fullmatch(r"bare`\+0x([0-9a-f]+);libc\.so\.6`\w+ (\d+)\n", done.stdout)
    if not found or int(found[2]) != RUNS * CALLS:
        bad.append(f"not one stack of {RUNS * CALLS}: {done}")
    elif not begin <= int(found[1], 16) < begin + size:
        bad.append(f"+0x{found[1]} is not in main(), which is {size} bytes at 0x{begin:x}")
    if replay(recording, "-x", "oformat=folded").stdout.decode() != done.stdout:
        bad.append("a replay has another stack")
    # Compared with itself, nothing has changed.
    svg = replay(recording, "-x", "oformat=svg", "-x", f"base={recording}").stdout.decode()
    if not re.search(rf"<title>bare`\+0x{found[1] if found else ''}: {RUNS * CALLS} of {RUNS * CALLS}, 100.00 %; before {RUNS * CALLS} of", svg):
        bad.append(f"a comparison: {svg[:2000]}")
if bad:
    sys.exit("\n".join(bad))
