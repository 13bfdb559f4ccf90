# A process that sleeps often: each time, it has been on a CPU, and off it. tools/cpudist.d.
# bcc's counts only a part of the times of a process that it is to watch.
import os
import re
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

SWAPPER = r"^  swapper/\d+ 0, us$"


def idle_time():
    """Of all CPUs, in ticks of 10 ms."""
    with open("/proc/stat") as file:
        return sum(map(int, file.readline().split()[4:6]))


with Naps(200, 0.002) as naps:
    with toolkit.Alone("cpudist", "-p", naps.pid) as on, \
            toolkit.Alone("cpudist", "-O", "-L", "-p", naps.pid) as off, \
            toolkit.Alone("cpudist", "-I", "-P", "200ms") as idle, toolkit.Alone("cpudist", "-P", "200ms") as busy, \
            toolkit.Alone("cpudist", "-p", toolkit.another()) as of_another:
        before = naps.switches()
        naps.take()
        after = naps.switches()
        # A machine may have no idle CPU for a while.
        idled = idle_time()
        end = time.monotonic() + 20
        while not re.search(SWAPPER, idle.script.text(), re.M) and time.monotonic() < end:
            time.sleep(0.1)
        idled = idle_time() - idled
times = after - before
# Of some threads the kernel does not report that they leave: see tst.runqlat.py.
for what, text in ("on", on.ours), ("off", off.ours):
    toolkit.same(f"{what}: {toolkit.counted(text)} of {times}", 0.95 * times <= toolkit.counted(text) <= times + 1, True)
toolkit.same("thread", re.findall(r"^  \S+ (\d+), us$", off.ours, re.M), [str(naps.pid)])
# A nap takes two milliseconds.
buckets = {int(value): int(count) for value, count in re.findall(r"^ +(\d+) \|.* (\d+) *$", off.ours, re.M)}
toolkit.same(f"off {buckets}", sum(count for value, count in buckets.items() if value >= 1024) >= 0.9 * 200, True)
toolkit.same("of another", toolkit.counted(of_another.ours), 0)
# The idle threads of the CPUs, where one has run.
if re.search(SWAPPER, idle.ours, re.M) is None and idled > 100:
    sys.exit(f"CPUs were idle for {idled} ticks, and -I does not show it: {idle.ours}")
toolkit.same("idle threads without -I", re.search(SWAPPER, busy.ours, re.M), None)
