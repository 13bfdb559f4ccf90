# A command of ours makes the kernel compact each of its zones: tools/compactsnoop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

COMPACT = "/proc/sys/vm/compact_memory"
if not os.access(COMPACT, os.W_OK):
    print("this kernel does not compact memory")
    sys.exit(toolkit.SKIP)
zones = set()
for line in open("/proc/zoneinfo"):
    found = re.match(r"Node (\d+), zone +(\S+)|.* present +(\d+)", line)
    if found and found[1]:
        zone = (found[1], found[2])
    elif found and found[3] != "0":
        zones.add(zone)
with toolkit.Alone("compactsnoop", "-p", os.getpid(), "-T") as mine, toolkit.Alone("compactsnoop", "-p", os.getpid(), "-K") as stacks, toolkit.Alone("compactsnoop", "-t", 1) as of_another:
    with open(COMPACT, "w") as file:
        file.write("1")
    mine.shows(r"Normal|DMA")
    stacks.shows(r"vmlinux`\S*compact\S*\+")
rows = re.findall(rf" {os.getpid()} +{os.getpid()} +(\d+) (\S+) +-1 sync +\d+\.\d{{3}} (.*)$", mine.ours, re.M)
if {row[:2] for row in rows} - zones or not rows:
    sys.exit(f"zones {zones}: {mine.ours}")
toolkit.same("ends", {row[2] for row in rows} - {"complete", "partly skipped", "contended"}, set())
toolkit.same("of another", toolkit.rows(of_another.ours), [])
