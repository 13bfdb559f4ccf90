# Aggregations are exact on two CPUs, with few keys, with many, and with a table
# that is too small: then each lost update is counted.
# @@timeout: 120
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import soundness

CALLS = 300_000 * soundness.EVENTS
STORM = f"{soundness.workload('storm')} 2 {CALLS}"
WHEN = "syscall::getppid:entry /pid == $target/"


def total(out):
    return sum(int(line.split()[-1]) for line in out.splitlines() if line.strip())


for name, options, body in (
        ("no key", [], "@ = count();"),
        ("one key", [], "@[execname] = count();"),
        ("64 keys", [], "@[timestamp % 64] = count();"),
        ("many keys", ["-x", "aggsize=256m"], "@[timestamp % 100003] = count();"),
        ("a table that is too small", ["-x", "aggsize=64k"], "@[timestamp] = count();")):
    out, err = soundness.trace(["-q", *options, "-c", STORM, "-n", f"{WHEN} {{ {body} }}"])
    soundness.equation(name, 2 * CALLS, total(out), soundness.aggregation_drops(err) + soundness.drops(err))
    if "small" in name and soundness.aggregation_drops(err) == 0:
        sys.exit(f"{name}: the test did not fill the table")

# Cleared while it is being added to: what is printed before each clear() adds up.
out, err = soundness.trace(["-q", "-c", STORM, "-n", WHEN + " { @[tid] = count(); @n = count(); }", "-n",
                            "tick-3ms { printa(\"k %d %@d\\n\", @); clear(@); printa(\"n %@d\\n\", @n); clear(@n); }",
                            "-n", "END { printa(\"k %d %@d\\n\", @); printa(\"n %@d\\n\", @n); }"])
for letter in "kn":
    recorded = sum(int(n) for n in re.findall(rf"^{letter} .*?(\d+)$", out, re.M))
    soundness.equation(f"cleared, {letter}", 2 * CALLS, recorded, soundness.aggregation_drops(err) + soundness.drops(err))
