# Records that find no room while nobody has read for too long end tracing, with what there is.
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402


def processor_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


process = subprocess.Popen(
    [DTRACE, "-q", "-b", "16k", "-x", "deadman=100ms", "-n",
     'BEGIN { printf("%d\\n", $target); } syscall::getppid:entry /pid == $target/ { printf("%d\\n", n++); }',
     "-c", f"{workload('getppid')} 100000000"],
    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
first = process.stdout.readline()
process.send_signal(signal.SIGSTOP)
# Until the command has run for three times as long as the deadman waits: its calls fill the buffer in much less.
until = time.monotonic() + 20
while processor_seconds(int(first)) < 0.3:
    if time.monotonic() > until:
        sys.exit("the command does not run")
    time.sleep(0.02)
process.send_signal(signal.SIGCONT)
out, err = process.communicate()
if process.returncode != 1:
    sys.exit(f"{first!r}, exit status {process.returncode}: {err}")
if "dtrace: processing aborted: Abort due to systemic unresponsiveness" not in err:
    sys.exit(f"no message: {err}")
if "0\n" not in out or " drop" not in err:
    sys.exit(f"what was recorded and dropped until then is missing: {out[:100]!r} {err}")
print("aborted, and said so")
