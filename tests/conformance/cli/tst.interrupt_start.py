"""A signal ends start-up: thousands of programs take seconds."""
import os
import pathlib
import signal
import subprocess
import sys
import time

process = subprocess.Popen([os.environ["DTRACE"], "-q", "-n", "sdt::: { @ = count(); } END { printf(\"the end\"); }"],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
# The signal is blocked from the moment at which it is listened to; while a thread begins, all signals are.
status = pathlib.Path(f"/proc/{process.pid}/status")
end = time.time() + 20
while time.time() < end and process.poll() is None:
    blocked = [line for line in status.read_text().splitlines() if line.startswith("SigBlk")]
    mask = int(blocked[0].split()[1], 16) if blocked else 0
    if mask & 1 << (signal.SIGTERM - 1) and not mask & 1 << (signal.SIGUSR1 - 1):
        break
process.send_signal(signal.SIGTERM)
out, err = process.communicate(timeout=20)
if (process.returncode, out, err) != (1, b"", b"dtrace: interrupted before tracing began\n"):
    sys.exit(f"FAILED: {process.returncode}, {out}, {err}")
