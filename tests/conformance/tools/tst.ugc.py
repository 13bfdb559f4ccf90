# @@host
# @@timeout: 60
# Collections of garbage of a program of Ruby: tools/ugc.d.
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
with toolkit.Alone("ugc", "-p", ruby.pid) as mine, toolkit.Alone("ugc", "-M", 100000000) as long_ones:
    ruby.work()
    mine.shows(r"(?s)(mark.*){3}")
ruby.let_go()
rows = re.findall(rf" {ruby.pid} +ruby +\d+\.\d{{3}} (\w+)$", mine.ours, re.M)
toolkit.same("collections", (rows.count("mark"), set(rows)), (3, {"mark", "sweep"}))
toolkit.same("long ones", toolkit.rows(long_ones.ours), [])
