"""go tool pprof reads our profiles: the totals of each aggregation, labels, and the time that samples stand for."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from exports import CALLS, reader, replay, run  # noqa: E402

bad = []
if not reader("go"):
    print("skipped: there is no go")
    sys.exit(77)
directory = tempfile.TemporaryDirectory(prefix="pprof-")
file = os.path.join(directory.name, "r")


def raw(name, content):
    path = os.path.join(directory.name, name)
    with open(path, "wb") as out:
        out.write(content)
    done = subprocess.run(["go", "tool", "pprof", "-raw", path], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=200, env={**os.environ, "HOME": directory.name})
    if done.returncode != 0:
        bad.append(f"pprof: {done.stderr}")
    return done.stdout


run("-q", "-x", "oformat=none", "-x", f"record={file}", "-n",
    "int n; syscall::getppid:entry /pid == $target/ { @calls[execname, ustack(4)] = count(); @took[ustack(4)] = sum(n); n++; }")
text = raw("calls", replay(file, "-x", "oformat=pprof").stdout)
if "\ncalls/count took/count\n" not in text:
    bad.append(f"other types: {text[:300]}")
samples = [tuple(map(int, row)) for row in re.findall(r"^ +(\d+) +(\d+): ", text, re.M)]
if [sum(values) for values in zip(*samples)] != [CALLS, sum(range(CALLS))]:
    bad.append(f"other totals: {samples}")
if "execname:[getppid]" not in text or "`syscall" not in text:
    bad.append(f"labels or functions are missing: {text}")
text = raw("chosen", replay(file, "-x", "oformat=pprof", "-x", "view=@calls:none").stdout)
if "\ntook/count\n" not in text:
    bad.append(f"-x view is of no effect: {text[:300]}")

# Of profile-N: 1/997 s for each.
text = raw("period", run("-q", "-x", "oformat=pprof", "-n", "profile-997 /pid == $target/ { @[ustack(2)] = count(); }",
                         calls=5_000_000).stdout)
if "PeriodType: cpu nanoseconds\nPeriod: 1003009\n" not in text:
    bad.append(f"no period: {text[:300]}")
samples = [tuple(map(int, row)) for row in re.findall(r"^ +(\d+) +(\d+): ", text, re.M)]
if not samples or any(time != count * 1003009 for count, time in samples):
    bad.append(f"other times: {samples}")
if bad:
    sys.exit("\n".join(bad))
