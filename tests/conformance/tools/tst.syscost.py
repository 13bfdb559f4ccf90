# The calls of a shell and of what it starts: tools/syscost.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

SHELL = "cd / 2>&-; cd /no-such-1 2>&-; cd /no-such-2 2>&-; (cd /tmp; sleep 0.2)"


def traced(*options):
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / "syscost.d"), *options, "-c", f"sh -c '{SHELL}'"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=100)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    return {name: tuple(map(int, row)) for *row, name in re.findall(r"^ *(\d+) +(\d+) +(\d+) +(\d+) (\w+(?: +\w+)?)$", done.stdout, re.M)}


one, all_, cpu = traced(), traced("-f"), traced("-f", "-C")
toolkit.same("chdir", [rows["chdir"][2:] for rows in (one, all_, cpu)], [(3, 2), (4, 2), (4, 2)])
if "clock_nanosleep" in one or all_["clock_nanosleep"][0] < 199000 or all_["clock_nanosleep"][1] < 199000000:
    sys.exit(f"{one} {all_}")
if cpu["clock_nanosleep"][0] > all_["clock_nanosleep"][0] - 100000:
    sys.exit(f"{cpu}: it did not compute while it slept")
for us, average, calls, errors in all_.values():
    if errors > calls or not average * calls // 1000 <= us <= (average + 1) * calls // 1000 + 1:
        sys.exit(f"a row that cannot be: {all_}")

# Separately for each program: the shell waits for the one that sleeps.
programs = {tuple(name.split()): row for name, row in traced("-f", "-P").items()}
toolkit.same("chdir of the shell", programs["sh", "chdir"][2:], (4, 2))
toolkit.same(f"{programs}", all(programs[row][0] >= 199000 for row in (("sh", "wait4"), ("sleep", "clock_nanosleep"))), True)
toolkit.same("without -P", [name for name in all_ if " " in name], [])
