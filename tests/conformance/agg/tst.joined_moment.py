#!/usr/bin/env python3
"""Each line of a printa() of several aggregations is of one moment: what one firing adds to all of them is in all of
its values or in none, with and without keys, whether they are cleared or not, in one clause and in several, while
a program fires the probe without a pause. Nothing is lost or counted twice in between.
"""
# @@timeout: 120
# @@host
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, EVENTS, workload  # noqa: E402

CALLS = 200000 * EVENTS
CALL = "syscall::getppid:entry /pid == $target/ "
KEYED = CALL + "{ this->k = timestamp & 255; @a[this->k] = count(); @b[this->k] = sum(3); @c[this->k] = quantize(1); }"
CLAUSES = CALL + "{ this->k = (timestamp >> 4) & 31; @a[this->k] = count(); }" + \
    CALL.replace("/ ", " && this->k >= 0/ ") + "{ @b[this->k] = sum(3); }" + CALL + "{ @c[this->k] = quantize(1); }"
PLAIN = CALL + "{ @a = count(); @b = sum(3); @c = quantize(1); }"
MIXED = CALL + "{ @a = count(); @x[pid] = count(); } " + CALL + "{ @b = sum(3); @c = quantize(1); }"
# With some time between the values.
CONDITIONS = CALL + "{ if (arg1 != 12345678) { @a = count(); } this->s = strjoin(strjoin(execname, probefunc), execname); " \
    "this->n = strlen(strjoin(this->s, substr(this->s, 2))); @b = sum(3); if (this->n != 12345) { @c = quantize(1); } }"
SHOW = 'printa("%s%%@d %%@d %%@{count}d\\n", @a, @b, @c);'
WITH_KEY, WITHOUT = SHOW % "%d ", SHOW % "7 "
CLEAR = "clear(@a); clear(@b); clear(@c);"
TRUNC = "trunc(@a); trunc(@b); trunc(@c);"


def run(script, options=(), may_drop=False):
    ran = subprocess.run([DTRACE, "-q", *options, "-n", script, "-c", f"{workload('getppid')} {CALLS}"],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if ran.returncode != 0 or (" drop" in ran.stderr and not may_drop):
        sys.exit(f"{script}: exit status {ran.returncode}: {ran.stderr}")
    return ran.stdout


def check(name, out, is_cleared):
    rows = [tuple(map(int, row)) for row in re.findall(r"^(\d+) (\d+) (\d+) (\d+)$", out, re.M)]
    torn = [row for row in rows if row[2] != 3 * row[1] or row[3] != row[1]]
    if torn:
        sys.exit(f"{name}: {len(torn)} of {len(rows)} rows are of several moments: {torn[:5]}")
    if len({row[1] for row in rows}) < 3:
        sys.exit(f"{name}: nothing was printed while calls were made: {out[:200]}")
    last = {}  # by key
    for key, count, *_ in rows:
        last[key] = last.get(key, 0) + count if is_cleared else count
    if sum(last.values()) != CALLS:
        sys.exit(f"{name}: {CALLS} calls, but {sum(last.values())} were printed")


for name, add, show in (("keys", KEYED, WITH_KEY), ("clauses", CLAUSES, WITH_KEY), ("plain", PLAIN, WITHOUT),
                        ("mixed", MIXED, WITHOUT), ("conditions", CONDITIONS, WITHOUT)):
    check(name, run(f"{add} tick-7ms {{ {show} }} END {{ {show} {TRUNC} }}"), False)
    check(name + ", cleared", run(f"{add} tick-7ms {{ {show} {CLEAR} }} END {{ {show} {TRUNC} }}"), True)
check("conditions, often", run(f"{CONDITIONS} profile-997 {{ {WITHOUT} }} END {{ {WITHOUT} {TRUNC} }}", [], True), False)
check("other clauses clear", run(f"{KEYED} tick-7ms {{ {WITH_KEY} }} tick-7ms {{ {TRUNC} }} END {{ {WITH_KEY} {TRUNC} }}"), True)

# What prints more often than a grace period of the kernel lasts: records share one. A sample that is dropped prints
# nothing, which is no loss here.
FEW = KEYED.replace("255", "7")
for name, add, show in (("few keys", FEW, WITH_KEY), ("plain", PLAIN, WITHOUT)):
    for options in ([], ["-x", "temporal"]):
        end = f"END {{ {show} {TRUNC} }}"
        check(f"{name}, often", run(f"{add} profile-997 {{ {show} }} {end}", options, True), False)
        check(f"{name}, often, cleared", run(f"{add} profile-997 {{ {show} {CLEAR} }} {end}", options, True), True)

# What is recorded is what was printed.
with tempfile.TemporaryDirectory() as directory:
    file = f"{directory}/run"
    printed = run(f"{KEYED} tick-7ms {{ {WITH_KEY} }} END {{ {WITH_KEY} {TRUNC} }}", ["-x", f"record={file}"])
    check("recorded", printed, False)
    again = subprocess.run([DTRACE, "-q", "-r", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if again.stdout != printed:
        sys.exit(f"the recording prints something else: {again.stdout[-300:]!r}, {printed[-300:]!r}, {again.stderr}")
print("all rows are of one moment")
