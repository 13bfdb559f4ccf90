# @@host
# @@timeout: 60
# Functions of a program of Ruby that has a TracePoint: tools/ucalls.d.
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
with toolkit.Alone("ucalls", "-p", ruby.pid, "-T", 100) as mine, toolkit.Alone("ucalls", "-p", ruby.pid, "-T", 1) as most:
    ruby.work()
ruby.let_go()
rows = {(where, name): int(count) for where, name, count in re.findall(r"^ruby +(\S+) +(\S+) +(\d+)$", mine.ours, re.M)}
toolkit.same("calls", [rows.get(key) for key in (("Object", "inner"), ("Object", "outer"), ("Integer", "times"))], [14, 7, 2])
toolkit.same("most", len(re.findall(r"^ruby ", most.ours, re.M)), 1)
