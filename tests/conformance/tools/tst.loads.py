# Load averages, beside /proc/loadavg: tools/loads.d.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def averages():
    with open("/proc/loadavg") as file:
        return tuple(file.read().split()[:3])


# The kernel computes them each five seconds, so each line is one that was true during the run.
seen = {averages()}
with toolkit.Alone("loads", "20ms", "10") as one:
    while one.script.process.poll() is None:
        seen.add(averages())
seen.add(averages())
toolkit.same("its end", one.script.process.returncode, 0)
rows = re.findall(r"^\d{4} .{15} +(\d+\.\d\d) +(\d+\.\d\d) +(\d+\.\d\d) +(\d+) +(\d+) +(\d+)$", one.ours, re.M)
toolkit.same("lines", len(rows), 10)
toolkit.same("averages", [row[:3] for row in rows if row[:3] not in seen], [])
memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
toolkit.same("the rest", [row for row in rows if not (0 < int(row[3]) <= int(row[4]) and 0 < int(row[5]) < memory)], [])
