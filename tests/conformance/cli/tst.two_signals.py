"""Signals closer to one another than a person's are one request: timeout(1) signals a process and then its group."""
import os
import re
import signal
import subprocess
import sys
import time

SCRIPT = 'tick-10ms { @t["ticks"] = count(); } tick-10ms /!n++/ { printf("ready\\n"); } END { printf("the end\\n"); }'


def start(script=SCRIPT):
    process = subprocess.Popen([os.environ["DTRACE"], "-q", "-w", "-n", script], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seen = b""
    while b"ready" not in seen:
        seen += os.read(process.stdout.fileno(), 100)
    return process, seen


def end(process, seen):
    out, err = process.communicate(timeout=20)
    return (seen + out).decode(), err.decode()


for pair in (signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGTERM):
    for pause in 0, 0.0005, 0.002:
        process, seen = start()
        process.send_signal(pair[0])
        time.sleep(pause)  # the distance of the signals is what is tested
        process.send_signal(pair[1])
        text, err = end(process, seen)
        if process.returncode != 0 or not re.search(r"the end\n\n +ticks +\d+\n", text) or err:
            sys.exit(f"FAILED: {pair}, {pause} s: status {process.returncode}, {text!r}, {err!r}")

# Signals that come until the process has gone do not take its exit status.
STREAMS = {
    "dtrace": [os.environ["DTRACE"], "-q", "-n", SCRIPT],
    "stap": [os.environ["STAP"], "-e", 'probe begin { println("ready") } probe timer.ms(10) { n++ } global n probe end { println("the end") }'],
    "dwatch": [os.path.join(os.environ["BUILD"], "src/dwatch/dwatch"), "-q", "-E", 'printf("ready");', "profile:::tick-10ms"],
}
for name, command in STREAMS.items():
    for kind in signal.SIGINT, signal.SIGTERM:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            while b"ready" not in os.read(process.stdout.fileno(), 100):
                pass
            while process.poll() is None:
                process.send_signal(kind)
        if process.returncode != 0:
            sys.exit(f"FAILED: {name}, {kind} until its end: status {process.returncode}")

# A second request gives the results up, and says so. END waits until the first one has been taken.
process, seen = start(SCRIPT + ' END { system("echo waiting; exec sleep 20"); }')
process.send_signal(signal.SIGINT)
while b"waiting" not in seen:
    seen += os.read(process.stdout.fileno(), 100)
time.sleep(0.5)  # what is closer is one request
process.send_signal(signal.SIGINT)
text, err = end(process, seen)
if "ticks" in text or err != "dtrace: interrupted twice: aggregations that were not printed yet are discarded\n":
    sys.exit(f"FAILED: status {process.returncode}, {text!r}, {err!r}")
