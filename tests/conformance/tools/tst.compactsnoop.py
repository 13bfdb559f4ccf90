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
with toolkit.Alone("compactsnoop", "-p", os.getpid(), "-T") as mine, toolkit.Alone("compactsnoop", "-p", os.getpid(), "-K", "-e") as stacks, toolkit.Alone("compactsnoop", "-t", 1) as of_another:
    with open(COMPACT, "w") as file:
        file.write("1")
    mine.shows(r"Normal|DMA")
    stacks.shows(r"vmlinux`\S*compact\S*\+")
rows = re.findall(rf" {os.getpid()} +{os.getpid()} +(\d+) (\S+) +-1 sync +\d+\.\d{{3}} (.*)$", mine.ours, re.M)
if {row[:2] for row in rows} - zones or not rows:
    sys.exit(f"zones {zones}: {mine.ours}")
toolkit.same("ends", {row[2] for row in rows} - {"complete", "partly skipped", "contended"}, set())
# The watermarks of a zone, and what is free in it at this moment.
marks, zone = {}, None
for line in open("/proc/zoneinfo"):
    if found := re.match(r"Node (\d+), zone +(\S+)", line):
        zone = found.groups()
    elif (found := re.match(r" +(boost|min|low|high|present) +(\d+)", line)) and zone:
        marks.setdefault(zone, {})[found[1]] = int(found[2])
extended = re.findall(r" (\d+) (\S+) +-1 sync +(\d+) +(\d+) +(\d+) +(\d+) +\d+\.\d{3} ", stacks.ours)
toolkit.same(f"extended: {stacks.ours}", len(extended), len(rows))
for node, name, free, *three in extended:
    of_zone = marks[node, name]
    # All three are higher while the kernel boosts them, which changes from moment to moment.
    boosts = {int(one) - of_zone[mark] for one, mark in zip(three, ("min", "low", "high"))}
    toolkit.same(f"watermarks of {name}: {three}, {of_zone}", (len(boosts), boosts.pop() >= -of_zone["boost"]), (1, True))
    toolkit.same(f"{free} pages are free of {of_zone}", int(free) <= of_zone["present"], True)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
