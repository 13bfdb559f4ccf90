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
with toolkit.Alone("ucalls", "-p", ruby.pid, "-T", 100) as mine, toolkit.Alone("ucalls", "-p", ruby.pid, "-T", 1) as most, \
        toolkit.Alone("ucalls", "-L", "-p", ruby.pid, "-T", 100) as times:
    ruby.work()
ruby.let_go()
rows = {(where, name): int(count) for where, name, count in re.findall(r"^ruby +(\S+) +(\S+) +(\d+)$", mine.ours, re.M)}
toolkit.same("calls", [rows.get(key) for key in (("Object", "inner"), ("Object", "outer"), ("Integer", "times"))], [14, 7, 2])
toolkit.same("most", len(re.findall(r"^ruby ", most.ours, re.M)), 1)
# A call has the time of the calls in it, and the longest stands first.
rows = [(where, name, int(count), int(us)) for where, name, count, us in
        re.findall(r"^ruby +(\S+) +(\S+) +(\d+) +(\d+)$", times.ours, re.M)]
toolkit.same("times are sorted", [row[3] for row in rows], sorted((row[3] for row in rows), reverse=True))
of = {(where, name): (count, us) for where, name, count, us in rows}
inner, outer, repeated = (of[key] for key in (("Object", "inner"), ("Object", "outer"), ("Integer", "times")))
toolkit.same("calls with times", [inner[0], outer[0], repeated[0]], [14, 7, 2])
toolkit.same(f"times of {of}", inner[1] <= outer[1] <= repeated[1], True)
