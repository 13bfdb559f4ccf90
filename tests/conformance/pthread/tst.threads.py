# @@timeout: 120
"""What a program's threads do is what pthread tells, no more and no less: tests/workloads/pthreads."""
import os
import pathlib
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
WORKLOADS = pathlib.Path(DTRACE).parent / "../../tests/workloads"
# Each probe with as many arguments as it has.
PROBES = {"create": 4, "start": 3, "exit": 2, "join-start": 1, "join-done": 3, "detach": 2, "setname": 3, "cancel": 1,
          "kill": 2, "cond-wait": 2, "cond-woken": 3, "cond-signal": 1, "cond-broadcast": 1, "barrier-wait": 1,
          "barrier-done": 2, "sem-wait": 1, "sem-acquired": 1, "sem-error": 2, "sem-post": 1}


def difference(probes, threads):
    """The rows that are missing, and those that are too many."""
    program = "".join(f"pthread$target:::{probe} {{ @[probename, probefunc, "
                      + ", ".join(f"(unsigned long)args[{i}]" if i < PROBES[probe] else f"arg{i}" for i in range(4))
                      + "] = count(); }\n" for probe in probes)
    run = subprocess.run([DTRACE, "-q", "-c", str(WORKLOADS / threads), "-n",
                          program + 'END { printa("got %s %s %x %x %x %x %@d\\n", @); }'],
                         capture_output=True, text=True, timeout=60)
    lines = [line.split() for line in run.stdout.splitlines()]
    wanted = {tuple(line[1:]) for line in lines if line[:1] == ["want"] and line[1] in probes}
    got = {tuple(line[1:]) for line in lines if line[:1] == ["got"]}
    if run.returncode != 0 or run.stderr or not wanted:
        sys.exit(f"{threads} {probes}: exit status {run.returncode}\n{run.stderr}{run.stdout}")
    return wanted - got, got - wanted


def check(probes, threads="pthreads"):
    missing, unexpected = difference(probes, threads)
    if missing or unexpected:
        sys.exit(f"{threads} {probes}:\nmissing {sorted(missing)}\nunexpected {sorted(unexpected)}")


check(list(PROBES))
check(list(PROBES), "pthreads_static")
# What one breakpoint is for does not depend on what the others are for.
for some in (["start"], ["exit"], ["cond-wait"], ["cond-woken", "join-start"], ["cond-signal", "barrier-wait", "join-done"],
             ["sem-acquired", "barrier-done"], ["sem-error", "create"]):
    check(some)
