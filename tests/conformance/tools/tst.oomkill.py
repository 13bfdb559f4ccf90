# A process that asks for more memory than its cgroup may use is killed: tools/oomkill.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < (6, 8):
    print("mark_victim of this kernel does not say which process it is")
    sys.exit(toolkit.SKIP)
EATER = "eaten = []\nwhile True:\n    eaten.append(b'x' * (1 << 20))\n"
with toolkit.MemoryLimit(24 << 20) as limit, toolkit.Alone("oomkill") as one:
    eater = subprocess.Popen(["sh", "-c", f'{limit.join}; exec "$@"', "sh", sys.executable, "-S", "-c", EATER])
    status = eater.wait(timeout=60)
    one.shows(rf" {eater.pid} ")
toolkit.same("status", status, -9)
rows = [row for row in toolkit.rows(one.ours) if f" {eater.pid} " in row]
found = re.fullmatch(rf".* {eater.pid} +(python\S*) +{eater.pid} +(python\S*) +(\d+)", rows[0])
if len(rows) != 1 or not found or int(found[3]) < 24 << 10:
    sys.exit(one.ours)
