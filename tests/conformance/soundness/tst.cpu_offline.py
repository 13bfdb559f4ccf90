# A CPU that goes offline and comes back while it is traced: nothing is lost, and every kind of probe goes on.
# @@timeout: 60
import os
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import soundness  # noqa: E402

SWITCH = "/sys/devices/system/cpu/cpu1/online"
if " / 9p " not in open("/proc/mounts").read():
    print("skipped: CPUs are taken offline in guests only")
    sys.exit(77)
if not os.path.exists(SWITCH):
    print("skipped: there is no second CPU that can be taken offline")
    sys.exit(77)


def switch(on):
    with open(SWITCH, "w") as file:
        file.write("1" if on else "0")


CALLS = 20_000
PROGRAM = """
syscall::getppid:entry /pid == $target/ { @calls[cpu] = count(); @all = count(); printf("r\\n"); self->n++; }
profile-97 { @samples = count(); }
tick-20ms { ticks++; }
END { printa("calls %d %@d\\n", @calls); printa("all %@d\\n", @all); printf("ticks %d\\n", ticks); trunc(@calls); trunc(@all); }
"""
process = subprocess.Popen([soundness.DTRACE, "-q", "-b", "1m", "-n", PROGRAM, "-c", f"{soundness.workload('storm')} 4 {CALLS}"],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
turns = 0
try:
    while process.poll() is None and turns < 10:
        time.sleep(0.1)
        switch(turns % 2 != 0)
        turns += 1
finally:
    switch(True)
out, err = process.communicate(timeout=50)
if process.returncode != 0:
    sys.exit(f"status {process.returncode}: {err}")
lines = out.splitlines()
dropped = soundness.drops(err)
soundness.equation("records", 4 * CALLS, lines.count("r"), dropped)
values = [line.split() for line in lines if line.startswith(("calls", "all", "ticks"))]
print(values, turns, "turns")
total = sum(int(words[2]) for words in values if words[0] == "calls")
if total != int(next(words[1] for words in values if words[0] == "all")) or total + dropped < 4 * CALLS or turns < 2:
    sys.exit(f"{total} calls aggregated, {dropped} dropped, {turns} turns")

# The buffer of a CPU that is gone is read; tracing can begin without it, too.
switch(False)
try:
    out, err = soundness.trace(["-q", "-c", f"{soundness.workload('storm')} 2 1000", "-n",
                                'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa("%@d\\n", @); trunc(@); }'])
    soundness.equation("one CPU", 2000, int(out.split()[0]), soundness.drops(err) + soundness.aggregation_drops(err))
    done = subprocess.run([soundness.DTRACE, "-x", "cpu=1", "-n", "BEGIN"], capture_output=True, text=True)
    if done.returncode != 1 or "CPU 1 is not online" not in done.stderr:
        sys.exit(f"-x cpu=1: {done}")
finally:
    switch(True)
