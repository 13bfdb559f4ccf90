# @@host
# @@timeout: 60
# What a program of Ruby does: tools/ustat.d.
import os
import re
import shutil
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
