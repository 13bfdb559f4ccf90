# In CSV, the columns of a table have the names of its heading, and each row has a value for each.
import csv
import os
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

COMMAND = "sh -c 'cat /etc/passwd >/dev/null; cat /no-such-file 2>/dev/null; exit 3'"


def table(name, *words):
    """The first table: its header without `drops`, and its rows as dictionaries."""
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{name}.d"), "--oformat=csv", *words, "--command", COMMAND],
                          capture_output=True, text=True, timeout=100)
    toolkit.same(f"{name}: {done.stderr}", done.returncode, 0)
    lines = done.stdout.split("\n\n")[0].splitlines()
    rows = list(csv.DictReader(lines))
    toolkit.same(f"{name}: rows of other columns", [row for row in rows if None in row or None in row.values()], [])
    return lines[0].split(",")[:-1], rows


HEADINGS = {
    ("exitsnoop",): "COMMAND PID PPID TID AGE(s) EXIT",
    ("fsslower", "0"): "TIME COMMAND PID TYPE T BYTES LAT(ms) FILE",
    ("syscost", "-f"): "US AVERAGE(ns) CALLS ERRORS CALL",
    ("syscost", "-f", "-P"): "US AVERAGE(ns) CALLS ERRORS COMMAND CALL",
    ("opensnoop", "-x"): "PID COMMAND FD ERR PATH",
}
tables = {}
for words, heading in HEADINGS.items():
    header, tables[words] = table(*words)
    toolkit.same(words, header, heading.split())

ends = {row["COMMAND"]: row for row in tables["exitsnoop",]}
toolkit.same("exitsnoop", (ends["sh"]["EXIT"], 0 <= float(ends["sh"]["AGE(s)"]) < 1000), ("3", True))
calls = {row["CALL"]: row for row in tables["syscost", "-f"]}
toolkit.same(f"syscost: {calls['execve']}", (int(calls["execve"]["CALLS"]) == 2, int(calls["execve"]["US"]) > 0), (True, True))
times = [float(row["LAT(ms)"]) for row in tables["fsslower", "0"]]
toolkit.same(f"fsslower: {times}", 0 <= min(times) < 1, True)
