"""-x recordsize: the latest bytes of a recording are kept, and can be replayed in every form; what they have is what there was
since a moment, exactly, also when dtrace is killed."""
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

MOST = 1 << 20
CALLS = 200_000
# Numbers that zstd cannot make much smaller; sums that say which calls they are of.
SCRIPT = """syscall::getppid:entry /pid == $target/ { n++; printf("%d %d %d %s\\n", n, timestamp * 2654435761, (timestamp ^ n) * 40503, execname);
    @all = sum(n); @cleared = count(); @stacks[ustack(2)] = count(); }
    syscall::getppid:entry /pid == $target && n % 1000 == 0/ { printa(@cleared); clear(@cleared); }"""
SCRIPT = "int n; " + SCRIPT
RECORD = re.compile(r"^(\d+) -?\d+ -?\d+ getppid$", re.M)
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def dtrace(*words, status=0):
    done = subprocess.run([DTRACE, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    check(status, done.returncode, f"status of {words}: {done.stderr}")
    return done


def size(file):
    """What it takes on the disk: where the file system leaves a hole, the file is longer."""
    return os.stat(file).st_blocks * 512


def replay(file, status):
    """What it says, and the numbers of its records, which follow each other."""
    done = dtrace("-r", file, status=status)
    if not re.search(r"begins at .*: recordsize has not kept what was before; aggregations have what was added since", done.stderr):
        bad.append(f"where it begins is not said: {done.stderr}")
    numbers = list(map(int, RECORD.findall(done.stdout)))
    if len(numbers) < 1000 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        bad.append(f"{len(numbers)} records, or not one behind the other")
    return done, numbers


def added(file):
    """By aggregation, what all columns have together."""
    lines = [json.loads(line) for line in dtrace("-r", file, "-x", "oformat=views").stdout.splitlines()]
    sums = dict.fromkeys((one["name"] for one in lines[0]["aggregations"]), 0)
    for line in lines:
        if line["type"] == "column":
            sums[list(sums)[line["aggregation"]]] += sum(int(value) for _, value in line["rows"])
    return sums


with tempfile.TemporaryDirectory(prefix="recordsize-") as directory:
    file = os.path.join(directory, "x.dtr")
    while True:
        done = dtrace("-q", "-x", "oformat=none", "-x", f"record={file}", "-x", f"recordsize={MOST}", "-x", "bufsize=4m", "-n",
                      SCRIPT, "-c", f"{workload('getppid')} {CALLS}")
        if not re.search(r"drops? on CPU", done.stderr):
            break
        again(done.stderr)
    # What one turn takes from the buffers comes besides: here 20 bytes of a record of 100.
    if size(file) > 3 * MOST:
        bad.append(f"the file has {size(file)} bytes")
    done, numbers = replay(file, 0)
    check(CALLS, numbers[-1], "the last record")
    # Each aggregation is read at a moment of its own, when records of some more calls wait: what it has is of the calls behind
    # that.
    sums = added(file)
    before = {name: CALLS - sums[name] for name in ("@stacks", "@cleared")}
    rest = CALLS * (CALLS + 1) // 2 - sums["@all"]
    before["@all"] = math.isqrt(2 * rest)
    check(rest, before["@all"] * (before["@all"] + 1) // 2, "the sum is of all calls behind one")
    for name, calls in before.items():
        if not max(1, numbers[0] - 1) <= calls < CALLS:
            bad.append(f"{name} begins behind call {calls}, and records with {numbers[0]}")
    folded = dtrace("-r", file, "-x", "oformat=folded").stdout
    check(sums["@stacks"], sum(int(line.split()[-1]) for line in folded.splitlines()), "the flame graph")
    if "`" not in folded or re.search(r"0x[0-9a-f]+(?= |;)", folded.split(";")[-1]):
        bad.append(f"names of functions are missing: {folded}")
    listed = dtrace("-l", "-r", file).stdout
    if not re.search(r"^what was before .* was not kept$", listed, re.M):
        bad.append(f"the list: {listed}")

    # Killed, what is there is read up to the last chunk.
    os.unlink(file)
    tracer = subprocess.Popen([DTRACE, "-q", "-x", "oformat=none", "-x", f"record={file}", "-x", f"recordsize={MOST}", "-x", "bufsize=16m",
                               "-n", SCRIPT, "-c", f"{workload('getppid')} 100000000"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 100
    while time.monotonic() < end:  # until something was taken out
        listed = subprocess.run([DTRACE, "-l", "-r", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        if "was not kept" in listed.stdout:
            break
        time.sleep(0.05)
    tracer.send_signal(signal.SIGKILL)
    tracer.wait()
    done, _ = replay(file, 1)
    if "cut off" not in done.stderr:
        bad.append(f"the end is not said: {done.stderr}")

    for words, message in ((("-x", "recordsize=1m"), "there is none"),
                           (("-x", "recordsize=1m", "-x", "record=-"), "recordsize needs a file")):
        done = subprocess.run([DTRACE, *words, "-n", "BEGIN { exit(0); }"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=100)
        if done.returncode == 0 or message not in done.stderr:
            bad.append(f"{words}: {done}")

if bad:
    sys.exit("\n".join(bad))
