# -B: every record is a write of its own, as soon as it is there.
# @@host
import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, drops, workload  # noqa: E402


def check(condition, *shown):
    if not condition:
        sys.exit(f"{shown}")


def writes(*options):
    """What each write was, by a socket that keeps them apart."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen([DTRACE, "-q", *options, "-n", 'BEGIN { printf("one\\n"); } BEGIN { printf("two\\n"); } '
                                'BEGIN { printf("three\\n"); exit(0); }'], stdin=subprocess.DEVNULL, stdout=theirs)
    theirs.close()
    got = []
    while packet := ours.recv(4096):
        got.append(packet)
    ours.close()
    check(process.wait(timeout=30) == 0, process.returncode)
    return got


check(writes("-B")[:3] == [b"one\n", b"two\n", b"three\n"], writes("-B"))
check(len(writes()) < 3, writes())

# A rare record comes at once: from the moment at which it was made, as the script tells it.
process = subprocess.Popen([DTRACE, "-q", "-B", "-n", 'tick-30ms { printf("%d\\n", timestamp); } tick-1s { exit(0); }'],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
late = []
while (line := process.stdout.readline().strip()) != "":
    late.append(time.clock_gettime_ns(time.CLOCK_MONOTONIC) - int(line))
check(process.wait(timeout=30) == 0 and len(late) >= 5, late)
check(sorted(late)[len(late) // 4] < 50_000_000, late)

# Nothing is lost by it.
CALLS = 30_000
done = subprocess.run([DTRACE, "-q", "-B", "-n", 'syscall::getppid:entry /pid == $target/ { printf("%d\\n", n++); }', "-c",
                       f"{workload('getppid')} {CALLS}"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                      timeout=100)
lines = len(done.stdout.split())
check(lines <= CALLS <= lines + drops(done.stderr), lines, done.stderr)
