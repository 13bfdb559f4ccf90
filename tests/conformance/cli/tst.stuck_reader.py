# @@host
"""A reader that does not read must not keep dtrace from ending."""
import fcntl
import os
import re
import signal
import subprocess
import sys
import time

DTRACE = os.environ["DTRACE"]
FULL = 4096  # bytes: the pipe is made small
# What BEGIN prints does not fit into it, and more follows.
PROGRAM = 'BEGIN { printf("%d%10000s\\n", n++, ""); } tick-1ms { printf("%d\\n", n++); }'


def start():
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, FULL)
    process = subprocess.Popen([DTRACE, "-qn", PROGRAM], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    return reader, process


def wait_until_full(reader):
    size = bytearray(4)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        fcntl.ioctl(reader, 0x541B, size)  # FIONREAD
        if int.from_bytes(size, sys.byteorder) == FULL:
            return
        time.sleep(0.02)
    sys.exit("FAILED: the pipe never filled")


def wait_until_taken(process, number):
    """Until the signal is not pending any more, and the process has ended or waits again: for its reader."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if process.poll() is not None:
            return
        status = open(f"/proc/{process.pid}/status").read()
        pending = int(re.search(r"^ShdPnd:\s+(\w+)$", status, re.M)[1], 16)
        if not pending >> (number - 1) & 1 and re.search(r"^State:\s+S", status, re.M):
            return
        time.sleep(0.02)
    sys.exit("FAILED: the signal was not taken")


def ends(process, what):
    try:
        err = process.communicate(timeout=60)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"FAILED: still there after {what}")
    wanted = "dtrace: failed to write to <stdout>: its reader does not read\n"
    if process.returncode != 1 or err != wanted:
        sys.exit(f"FAILED: after {what}: exit status {process.returncode}, {err!r}")


reader, process = start()
wait_until_full(reader)
process.send_signal(signal.SIGTERM)
ends(process, "SIGTERM")
os.close(reader)

reader, process = start()
wait_until_full(reader)
process.send_signal(signal.SIGINT)
wait_until_taken(process, signal.SIGINT)
if process.poll() is not None:
    sys.exit("FAILED: one Ctrl-C gave up a reader that may only be slow")
time.sleep(0.5)  # signals closer than that are one
process.send_signal(signal.SIGINT)
ends(process, "a second Ctrl-C")
os.close(reader)

# A reader that comes back gets all of it.
reader, process = start()
wait_until_full(reader)
process.send_signal(signal.SIGINT)
wait_until_taken(process, signal.SIGINT)
text = b""
while part := os.read(reader, 65536):
    text += part
numbers = [int(line.split()[0]) for line in text.split(b"\n") if line]
if process.wait(timeout=60) != 0 or numbers != list(range(len(numbers))) or len(numbers) < 2:
    sys.exit(f"FAILED: {process.returncode}, {len(numbers)} lines, {process.stderr.read()}")
