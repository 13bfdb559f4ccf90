# switchrate is how often records are read, statusrate how often drops are looked for.
# @@host
import os
import re
import select
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402


def check(condition, *shown):
    if not condition:
        sys.exit(f"{shown}")


def start(script, *options):
    return subprocess.Popen([DTRACE, "-q", *options, "-n", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


# A record waits for its turn; exit() does not.
SCRIPT = 'int n; tick-10ms /n < 3/ { n++; printf("%%d\\n", n); } tick-%s /n == 3/ { exit(0); }'
for options, end, soonest in (([], "300ms", 0), (["-x", "switchrate=100hz"], "300ms", 0),
                              (["-x", "switchrate=1m"], "2s", 1.5)):
    started = time.monotonic()
    process = start(SCRIPT % end, *options)
    first = process.stdout.readline()
    begun = time.monotonic() - started
    rest, err = process.stdout.read(), process.stderr.read()
    process.wait(timeout=30)
    check(first + rest == "1\n2\n3\n\n" and err == "" and process.returncode == 0, options, first, rest, err)
    check(begun >= soonest, options, begun)

# setopt() sets it while tracing, and its record is read at once.
started = time.monotonic()
process = start((SCRIPT % "2s") + ' BEGIN { setopt("switchrate", "1m"); }')
check(process.stdout.readline() == "1\n" and time.monotonic() - started >= 1.5, time.monotonic() - started)
check(process.wait(timeout=30) == 0, process.returncode)

# What does not fit until then is dropped, and counted.
CALLS = 20_000
process = start(f'syscall::getppid:entry /pid == $target/ {{ printf("%d\\n", n++); }}', "-b", "16k",
                "-x", "switchrate=1m", "-c", f"{workload('getppid')} {CALLS}")
out, err = process.communicate(timeout=60)
dropped = sum(int(n) for n in re.findall(r"(\d+) drops? on CPU", err))
check(dropped > 0 and len(out.split()) + dropped >= CALLS, len(out.split()), dropped)

# Drops are said at the next look, and at the end. The command ends when it is told to.
DROPPER = 'syscall::getppid:entry /progenyof($target)/ { printf("%d\\n", n++); } '
with tempfile.TemporaryDirectory() as home:
    gate = os.path.join(home, "gate")
    os.mkfifo(gate)
    for rate, waits in (("10ms", False), ("1h", True)):
        process = start(DROPPER, "-b", "4k", "-x", f"statusrate={rate}", "-x", "switchrate=10s", "-x", "droptags",
                        "-c", f"sh -c '{workload('getppid')} {CALLS}; exec cat {gate}'")
        if waits:
            with open(gate, "w"):  # it is there: all calls have been made
                check(not select.select([process.stderr], [], [], 0.5)[0], "drops are said before the next look")
        line = process.stderr.readline()
        check(re.fullmatch(r"dtrace: \[DTRACEDROP_PRINCIPAL\] \d+ drops? on CPU \d+\n", line), line)
        if not waits:
            with open(gate, "w"):
                pass
        process.stdout.read()
        check(process.wait() == 0, process.returncode)
