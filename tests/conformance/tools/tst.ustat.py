# @@host
# @@timeout: 60
# What a program of Ruby does: tools/ustat.d.
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from ruby import Ruby  # noqa: E402

if not shutil.which("ruby"):
    print("there is no ruby (ruby)")
    sys.exit(toolkit.SKIP)
ruby = Ruby()
with toolkit.Alone("ustat", "-p", ruby.pid, 1000) as mine, toolkit.Alone("ustat", "-p", toolkit.another(), 1000) as of_another:
    ruby.work()
ruby.let_go()
row = re.search(rf"^{ruby.pid} +ruby +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$", mine.ours, re.M)
if not row:
    sys.exit(mine.ours)
calls, collections, _, loads, raises, threads = map(int, row.groups())
# The methods inner and outer, and times twice; others are the interpreter's own.
toolkit.same("values", (calls >= 14 + 7 + 2, collections, loads, raises, threads), (True, 3, 0, 1, 0))
toolkit.same("of another", re.findall(r"^\d+ +\S+(?: +\d+){6}$", of_another.ours, re.M), [])
# One row of each report: of the program that calls most, or of the one that collects most.
PYTHON = "/usr/bin/python3"
BOTH = f"""sh -c '
{PYTHON} -c "import gc; gc.disable(); f = lambda: 0; [f() for _ in range(20000)]" & {PYTHON} -c "import gc; [gc.collect() for _ in range(60)]" & wait'"""
with open(PYTHON, "rb") as program:
    has_probes = b"function__return" in program.read()
for options in ([], ["-S", "gc"]) if has_probes else ():
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / "ustat.d"), *options, "-r", "1", "100", "-c", BOTH],
                          capture_output=True, text=True, timeout=50)
    toolkit.same(f"{options}: {done.stderr}", done.returncode, 0)
    found = re.findall(r"^\d+ +python3\S* +(\d+) +(\d+)(?: +\d+){4}$", done.stdout, re.M)
    toolkit.same(f"{options}: {done.stdout}", [(int(calls) >= 20000, int(collections) >= 60) for calls, collections in found], [(not options, bool(options))])
done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / "ustat.d"), "-S", "no"], capture_output=True, text=True, timeout=50)
toolkit.same("no such column", (done.returncode, done.stdout.strip()), (2, "-S: there is no column no; there are method, gc, objnew, cload, excp and thread"))
