# raise() and stop() send signals to the process that fires; a signal that there is not is a fault.
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402

CLAUSE = "syscall::clock_nanosleep:entry /pid == $target/"


def run(script, *options):
    return subprocess.run([DTRACE, "-q", *options, "-n", script, "-c", "sleep 0.2"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)


def check(condition, *shown):
    if not condition:
        sys.exit(f"{shown}")


done = run(CLAUSE + " { raise(15); } END { printf(\"end\\n\"); }", "-w")
check(done.returncode == 0 and done.stdout == "end\n\n", done)
done = subprocess.run([DTRACE, "-w", "-n", CLAUSE + " { raise(10); }", "-c", "sleep 0.2"], stdin=subprocess.DEVNULL,
                      capture_output=True, text=True)
check("terminated by SIGUSR1" in done.stderr, done)

done = run(CLAUSE + " { raise(1000); } ERROR { printf(\"kind %d\\n\", arg4); exit(0); }", "-w")
check(done.stdout == "kind 3\n\n" and "illegal operation in action #1" in done.stderr, done)

done = run(CLAUSE + " { stop(); }")
check(done.returncode == 1, done)
check(done.stderr.startswith("dtrace: could not enable tracing: Destructive actions not allowed\n"), done)

process = subprocess.Popen([DTRACE, "-q", "-w", "-n", CLAUSE + " { stop(); printf(\"%d\\n\", pid); }", "-c", "sleep 0.2"],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
pid = int(process.stdout.readline())
end = time.monotonic() + 20
while open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] != "T":
    check(time.monotonic() < end, "not stopped")
    time.sleep(0.01)
os.kill(pid, signal.SIGCONT)
process.communicate()
check(process.returncode == 0, process.returncode)

# The thread that fires gets no further, whatever the others do.
with tempfile.TemporaryDirectory() as home:
    process = subprocess.Popen(
        [DTRACE, "-q", "-w", "-o", f"{home}/trace", "-n",
         'syscall::getppid:entry /pid == $target/ { stop(); printf("%d\\n", pid); }', "-c", workload("stopped")],
        stdin=subprocess.DEVNULL, stdout=open(f"{home}/said", "w"))
    end = time.monotonic() + 20
    while not (os.path.exists(f"{home}/trace") and open(f"{home}/trace").read().endswith("\n")):
        check(time.monotonic() < end, "did not fire")
        time.sleep(0.01)
    pid = int(open(f"{home}/trace").read())
    while any(open(f"/proc/{pid}/task/{t}/stat").read().rpartition(")")[2].split()[0] != "T"
              for t in os.listdir(f"/proc/{pid}/task")):
        check(time.monotonic() < end, "not stopped")
        time.sleep(0.01)
    check(open(f"{home}/said").read() == "", "the thread went on")
    os.kill(pid, signal.SIGCONT)
    check(process.wait(timeout=20) == 0 and open(f"{home}/said").read() == "on\n", process.returncode)
