# Tiny buffers, two CPUs, a reader that sleeps: nothing is lost without a count.
# @@timeout: 120
import os
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import soundness

CALLS = 200_000 * soundness.EVENTS
PROGRAM = "syscall::getppid:entry /pid == $target/ { printf(\"r\\n\"); }"
STORM = f"{soundness.workload('storm')} 2 {CALLS}"


def slow(process):
    """Reads a little now and then for two seconds, then all."""
    out = ""
    until = time.time() + 2
    while time.time() < until:
        out += os.read(process.stdout.fileno(), 4096).decode()
        time.sleep(0.05)
    return out


for name, options, reader in (("tiny buffer", ["-b", "4k"], None), ("default buffer", [], None),
                              ("tiny buffer, slow reader", ["-b", "4k"], slow),
                              ("small buffer, slow reader", ["-b", "64k"], slow)):
    out, err = soundness.trace(["-q", *options, "-c", STORM, "-n", PROGRAM], reader=reader)
    soundness.equation(name, 2 * CALLS, out.count("r\n"), soundness.drops(err))
    if "tiny" in name and soundness.drops(err) == 0:
        sys.exit(f"{name}: the test did not overload anything")
