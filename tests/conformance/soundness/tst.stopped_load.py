# A signal makes the kernel give up the verification of a program that is being loaded. However many come,
# dtrace loads the program again, and never takes this for the verifier's word.
import os
import signal
import subprocess
import sys
import time

DTRACE = os.environ["DTRACE"]
# Strings that are searched take the verifier a while.
SCRIPT = "BEGIN { " + "".join(f'trace(strstr(execargs, "{i}") != NULL); s{i} = strjoin(execargs, "{i}"); ' for i in range(60)) + "exit(0); }"

for _ in range(3):
    process = subprocess.Popen([DTRACE, "-q", "-n", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ended = time.monotonic() + 2
    while time.monotonic() < ended and process.poll() is None:
        os.kill(process.pid, signal.SIGSTOP)
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(0.0005)
    out, err = process.communicate()
    if process.returncode != 0 or not out:
        sys.exit(f"exit status {process.returncode}: {err}")
