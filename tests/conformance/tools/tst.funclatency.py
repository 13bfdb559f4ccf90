# System calls that take a known time, and a function that calls itself: tools/funclatency.d.
import os
import re
import sys

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
toolkit.same("naps in ms", sum(count for value, count in buckets(ms.ours, "clock_nanosleep, ms").items() if value >= 4), 50)

# The text of a list in lists is made by a function that calls itself.
DEPTH, TEXTS = 20, 30
go, ready = os.pipe()
done, says = os.pipe()
child = os.fork()
if child == 0:
    nested = []
    for _ in range(DEPTH):
        nested = [nested]
    os.read(go, 1)
    for _ in range(TEXTS):
        repr(nested)
    os.write(says, b"x")
    os.read(go, 1)
    os._exit(0)
with toolkit.Alone("funclatency", "-u", f"pid{child}::PyObject_Repr") as texts:
    os.write(ready, b"x")
    os.read(done, 1)
os.write(ready, b"x")
os.waitpid(child, 0)
toolkit.same("texts", sum(buckets(texts.ours, "all, us").values()), TEXTS)
