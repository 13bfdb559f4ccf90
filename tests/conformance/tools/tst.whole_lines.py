# Processes on several CPUs that open files at the same time: no line of tools/opensnoop.d is divided by another.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

PROCESSES, OPENS = 4, 3000


def open_many():
    for i in range(OPENS):
        try:
            os.open(f"/nonexistent/dt-{i}", 0)
        except OSError:
            pass


with toolkit.Alone("opensnoop") as plain, toolkit.Alone("opensnoop", "-T", "-U", "-e", "-x") as columns, \
        toolkit.Alone("opensnoop", "-F") as full:
    children = []
    for _ in range(PROCESSES):
        child = os.fork()
        if child == 0:
            open_many()
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
for one, pattern in ((plain, r"^(\d+) +\S+ +-1 +2 /nonexistent/dt-(\d+)$"),
                     (full, r"^(\d+) +\S+ +-1 +2 /nonexistent/dt-(\d+)$"),
                     (columns, r"^\d{4} \w{3} .\d [\d:]{8} +\d+ +(\d+) +\S+ +-1 +2 [0-9a-f]{8} /nonexistent/dt-(\d+)$")):
    found = [(int(pid), int(number)) for pid, number in re.findall(pattern, one.ours, re.M)]
    for child in children:
        toolkit.same("lines", [number for pid, number in found if pid == child], list(range(OPENS)))
