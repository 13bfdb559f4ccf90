# What a command costs, and what the kernel says of it: tools/perfstat.d.
import os
import re
import resource
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

SHELL = "sleep 0.05; (sleep 0.05; i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done)"


def traced(*options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / "perfstat.d"), *options, "-c", f"sh -c '{SHELL}'"],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0 or re.sub(toolkit.DROPS, "", done.stderr):
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    rows = {name: float(number) for number, name in re.findall(r"^ *([\d.]+) (.*)$", done.stdout, re.M)}
    return rows, 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


alone, _ = traced()
whole, used_ms = traced("-f")
toolkit.same(f"from start to end {whole}", 100 <= whole["ms from start to end"] < 60000, True)
# What the shell computes itself is little; with its children it is at most what they and dtrace have used.
toolkit.same(f"on CPUs: {alone} {whole} of {used_ms}", alone["ms on CPUs"] < whole["ms on CPUs"] <= used_ms + 20, True)
waits = "context switches: the thread waits"
toolkit.same(f"waits: {alone} {whole}", 2 <= alone[waits] < whole[waits], True)
if "page faults" in whole:  # the counter of faults is there
    toolkit.same(f"page faults: {alone} {whole}", 0 < alone["page faults"] < whole["page faults"], True)
