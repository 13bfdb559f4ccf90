#!/usr/bin/env python3
"""ustack() at on-cpu is the stack with which the thread has left, as a script that keeps it itself has it."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402

DTRACE = os.environ["DTRACE"]
WORK = f"{sys.executable} -c 'import time; [time.sleep(0.001) for i in range(50)]'"
# Before 6.4 no thread-local variables can be made there.
if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < (6, 4):
    print("skipped: thread-local variables cannot be made in sched's probes")
    sys.exit(77)


def run(script):
    while True:
        done = subprocess.run([DTRACE, "-q", "-c", WORK, "-n", script], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=120)
        if "drop" not in done.stderr:
            break
        again(done.stderr)
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    return done.stdout


KEEP = "sched:::off-cpu /pid == $target/ { self->off = timestamp; self->kept = ustack(5); } "
END = 'END { printf("implicit\\n"); printa("%k %@d\\n", @i); printf("kept\\n"); printa("%k %@d\\n", @k); }'
for predicate in ("self->off", "pid == $target && self->off", "self->off && timestamp > 1", "self->off != 0 && curthread"):
    out = run(KEEP + f"sched:::on-cpu /{predicate}/ {{ @i[ustack(5)] = count(); @k[self->kept] = count(); self->off = 0; }} " + END)
    implicit, kept = out.split("kept\n")
    if implicit.split("\n", 1)[1].strip() != kept.strip() or "nanosleep" not in kept:
        sys.exit(f"/{predicate}/: {out}")
# What is set at on-cpu says nothing of the time before.
out = run("sched:::on-cpu /pid == $target/ { self->here = 1; } "
          "sched:::on-cpu /self->here/ { @[ustack(5)] = count(); self->here = 0; }")
if "nanosleep" not in out:
    sys.exit(f"a flag of on-cpu: {out}")
# As a value in other places, also under a condition.
for body in ('printf("%k", ustack(5));', 'if (self->off) { printf("%k", ustack(5)); }', "saved[pid] = ustack(5); @[saved[pid], pid] = count();"):
    out = run("sched:::off-cpu /pid == $target/ { self->off = 1; } sched:::on-cpu /pid == $target/ { " + body + " }")
    if "nanosleep" not in out:
        sys.exit(f"{body} {out}")
# What is added is no match of the script.
done = subprocess.run([DTRACE, "-n", "sched:::on-cpu /pid == 0 && tid == 1/ { @[ustack()] = count(); } tick-10ms { exit(0); }"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
if "matched 2 probes" not in done.stderr:
    sys.exit(done.stderr)
print("stacks are those that were kept")
