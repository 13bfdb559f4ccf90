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
toolkit.same("naps", sum(buckets(ns.ours, "all, ns").values()), 50)
toolkit.same("naps in ns", min(buckets(ns.ours, "all, ns")) >= 1 << 21, True)
toolkit.same("naps in ms", sum(count for value, count in buckets(ms.ours, "clock_nanosleep, ms").items() if value >= 2), 50)

# A function that calls itself is as long as its outermost call: fib(15) is called once where greet() is called twice.
workload = subprocess.Popen([f"{os.environ['BUILD']}/tests/workloads/calls", "wait"], stdout=subprocess.DEVNULL)
with toolkit.Alone("funclatency", "-F", f"pid{workload.pid}:a.out:*[bt]") as both:
    time.sleep(1)
workload.terminate()
workload.wait()
outermost, twice = (sum(buckets(both.ours, f"{name}, ns").values()) for name in ("fib", "greet"))
# With the calls within it there would be 1,973 for each.
toolkit.same(f"{outermost} and {twice}", 0 < outermost <= twice, True)
