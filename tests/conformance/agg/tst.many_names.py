"""Rows whose addresses have no names are printed all the same, in the order of their texts, and a request to end stops the
printing: what is left is reported."""
import os
import signal
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
CALLS = 20_000
SCRIPT = """
int n;
syscall::getppid:entry /pid == $target && n < %d/ { @[umod(n * 4096 + 1)] = count(); n++; }
syscall::getppid:entry /pid == $target && n == %d/ { exit(0); }
""" % (CALLS, CALLS)
COMMAND = f"{sys.executable} -c 'import os\nfor i in range({CALLS + 1}): os.getppid()'"
WORDS = [DTRACE, "-q", "-x", "aggsortkey", "-n", SCRIPT, "-c", COMMAND]

done = subprocess.run(WORDS, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
rows = [line.split() for line in done.stdout.splitlines() if line]
names = [name for name, _ in rows]
if sum(int(count) for _, count in rows) != CALLS or names != sorted(names) or len(rows) < CALLS / 2:
    sys.exit(f"{len(rows)} rows")

# The pipe is full long before they are all printed.
tracer = subprocess.Popen(WORDS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
while not tracer.stdout.readline().strip():
    pass
tracer.send_signal(signal.SIGINT)
out, err = tracer.communicate(timeout=100)
if tracer.returncode != 0 or err != "dtrace: interrupted: aggregations that were not printed yet are discarded\n":
    sys.exit(f"exit status {tracer.returncode}: {err}")
if len(out.splitlines()) >= len(rows) - 1:
    sys.exit("all rows were printed")
