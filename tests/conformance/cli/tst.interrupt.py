# Ctrl-C prints what is due: a newline, END, the aggregations; and is success.
import os
import re
import signal
import subprocess
import sys

for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    process = subprocess.Popen([os.environ["DTRACE"], "-q", "-n",
                                'tick-10ms { @t = count(); } tick-10ms /!n++/ { printf("ready\\n"); } '
                                'END { printf("the end\\n"); }'],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(sig, signal.SIG_DFL))  # nohup ignores SIGHUP
    seen = b""
    while b"ready" not in seen:
        seen += os.read(process.stdout.fileno(), 100)
    process.send_signal(sig)
    out, err = process.communicate(timeout=20)
    text = (seen + out).decode()
    if process.returncode != 0 or not re.fullmatch(r"ready\n\nthe end\n\n +\d+\n", text) or err:
        sys.exit(f"{sig}: status {process.returncode}, {text!r}, {err!r}")
