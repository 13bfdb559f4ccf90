# @@timeout: 120
"""Each lock that a program takes, waits for and misuses is what plockstat tells, no more and no less: tests/workloads/locks."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402

DTRACE = os.environ["DTRACE"]
WORKLOADS = pathlib.Path(DTRACE).parent / "../../tests/workloads"
# Each probe with as many arguments as it has.
PROBES = {"mutex-block": 0, "mutex-blocked": 1, "mutex-release": 1, "mutex-error": 1, "rw-block": 1, "rw-acquire": 1,
          "rw-release": 1, "mutex-acquire": 2, "rw-blocked": 2, "rw-error": 2}


def difference(probes, locks):
    """The rows that are missing, and those that are too many."""
    program = "".join(f"plockstat$target:::{probe} {{ @[probename, arg0, {'args[1]' if PROBES[probe] > 0 else 0},"
                      f" {'args[2]' if PROBES[probe] > 1 else 0}] = count(); }}\n" for probe in probes)
    run = subprocess.run([DTRACE, "-q", "-c", str(WORKLOADS / locks), "-n", program + 'END { printa("got %s %x %d %d %@d\\n", @); }'],
                         capture_output=True, text=True, timeout=60)
    lines = [line.split() for line in run.stdout.splitlines()]
    wanted = {tuple(line[1:]) for line in lines if line[:1] == ["want"] and line[1] in probes}
    known = {line[2] for line in lines if line[:1] == ["want"]}
    # Others are those of the dynamic linker.
    got = {tuple(line[1:]) for line in lines if line[:1] == ["got"] and line[2] in known}
    if run.returncode != 0 or run.stderr or not wanted:
        sys.exit(f"{probes}: exit status {run.returncode}\n{run.stderr}{run.stdout}")
    return wanted - got, got - wanted


def check(probes, locks="locks"):
    while True:
        missing, unexpected = difference(probes, locks)
        if not missing and not unexpected:
            return
        difference_of = f"{probes}: missing {sorted(missing)}, unexpected {sorted(unexpected)}"
        # On a busy machine threads meet at a lock where the workload means them not to.
        if not all("-block" in row[0] for row in missing | unexpected):
            sys.exit(difference_of)
        again(difference_of)


check(list(PROBES))
check(list(PROBES), "locks_static")
for one in PROBES:
    check([one])
