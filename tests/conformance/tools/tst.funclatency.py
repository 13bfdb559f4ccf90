# System calls that take a known time, and a function that calls itself: tools/funclatency.d.
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402


def buckets(text, name):
    part = text[text.index(f"  {name}"):].split("\n\n")[0]
    return {int(value): int(count) for value, count in re.findall(r"^ +(-?\d+) \|.* (\d+) *$", part, re.M) if int(count)}


with Naps(50, 0.004) as naps:
    with toolkit.Alone("funclatency", "-p", naps.pid, "syscall::clock_nanosleep") as ns, \
            toolkit.Alone("funclatency", "-m", "-F", "-p", naps.pid, "syscall::*nanosleep") as ms:
        naps.take()
# A nap lasts until a moment, so that the call of one that begins late is shorter: most are not.
for unit, one, least in (("ns", buckets(ns.ours, "all, ns"), 1 << 21), ("ms", buckets(ms.ours, "clock_nanosleep, ms"), 2)):
    toolkit.same(f"naps in {unit}", sum(one.values()), 50)
    toolkit.same(f"long naps in {unit}", sum(count for value, count in one.items() if value >= least) > 25, True)

# A function that calls itself is as long as its outermost call: fib(15) is called once where greet() is called twice.
workload = subprocess.Popen([f"{os.environ['BUILD']}/tests/workloads/calls", "wait"], stdout=subprocess.DEVNULL)
with toolkit.Alone("funclatency", "-F", f"pid{workload.pid}:a.out:*[bt]") as both:
    time.sleep(1)
workload.terminate()
workload.wait()
outermost, twice = (sum(buckets(both.ours, f"{name}, ns").values()) for name in ("fib", "greet"))
# Tracing may begin and end within a round. Of a call that had begun before, the calls within it that begin later look
# like outermost ones: at most as many as fib(15) is deep.
DEPTH = 15
toolkit.same(f"{outermost} and {twice}", -1 <= outermost - twice / 2 <= 1 + DEPTH, True)
