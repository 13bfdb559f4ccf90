"""Ctrl-C while a replay prints its aggregations ends that, as in the run itself, and says that the rest is discarded."""
import array
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE  # noqa: E402

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started us may ignore it
CALLS, ENOUGH_S = 30000, 100
bad = []


def unread(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe.fileno(), termios.FIONREAD, count)
    return count[0]


with tempfile.TemporaryDirectory(prefix="recording-") as directory:
    file = os.path.join(directory, "many")
    loop = f"import os\nfor i in range({CALLS}): os.getppid()"
    subprocess.run([DTRACE, "-q", "-x", f"record={file}", "-x", "aggsize=64m", "-x", "oformat=none", "-c", f"{sys.executable} -c '{loop}'",
                    "-n", "syscall::getppid:entry /pid == $target/ { @[timestamp] = count(); }"],
                   stdin=subprocess.DEVNULL, check=True, timeout=ENOUGH_S)
    reads, writes = os.pipe()
    fcntl.fcntl(reads, fcntl.F_SETPIPE_SZ, 4096)
    with open(reads, "rb") as output, \
            subprocess.Popen([DTRACE, "-r", file], stdin=subprocess.DEVNULL, stdout=writes, stderr=subprocess.PIPE) as process:
        os.close(writes)
        # As much as the pipe holds, and no more: it waits for its reader, in the middle of its rows.
        end = time.monotonic() + ENOUGH_S
        while unread(output) < 4096 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        rows = output.read().count(b"\n")
        said = process.stderr.read()
    if said != b"dtrace: interrupted: aggregations that were not printed yet are discarded\n":
        bad.append(f"{rows} rows; it said: {said}")
    if rows >= CALLS:
        bad.append(f"all of {rows} rows")

print("\n".join(bad))
sys.exit(1 if bad else 0)
