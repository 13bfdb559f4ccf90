# A process that sleeps until another one wakes it: tools/offwaketime.d.
import os
import re
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

COMMAND = open("/proc/self/comm").read().strip()


def blocks(text):
    """(the sleeper and its stacks, the waker, the waker's stacks, us) of each, where the waker is known."""
    found, lines = [], []
    for line in text.splitlines():
        time_away = re.fullmatch(r"(\d+) us", line)
        if not time_away:
            lines.append(line)
            continue
        before, is_woken, after = "\n".join(lines).partition("    is woken by ")
        waker, _, woke = after.partition("\n")
        if is_woken:
            found.append((before, waker, woke, int(time_away[1])))
        lines = []
    return found



read, write = os.pipe()
done, says = os.pipe()
child = os.fork()
if child == 0:
    os.close(write)
    while os.read(read, 1):
        os.write(says, b"x")
    os._exit(0)
with toolkit.Alone("offwaketime", "-p", child) as woken, toolkit.Alone("offwaketime", "-t", child, "-m", 60000000) as none, \
        toolkit.Alone("offwaketime", "-k", "-p", child) as of_kernel:
    toolkit.until_asleep(child)
    begun = time.monotonic()
    os.write(write, b"x")  # it has slept since before
    os.read(done, 1)
    toolkit.until_asleep(child)
    time.sleep(0.1)
    os.write(write, b"x")
    os.read(done, 1)
os.close(write)
os.waitpid(child, 0)
# Its timer wakes it, in an interrupt of any thread.
with Naps(20, 0.005) as naps:
    with toolkit.Alone("offwaketime", "-p", naps.pid) as of_timers:
        naps.take()
wakers = {waker for slept, waker, _, _ in blocks(of_timers.ours) if "nanosleep" in slept}
toolkit.same("wakers of naps", wakers - {"nothing: its time slice was over"}, {"an interrupt"})
by_me = [us for slept, waker, woke, us in blocks(woken.ours)
         if waker == COMMAND and "pipe_read" in slept and "pipe_write" in woke]
if sum(by_me) < 100000:
    sys.exit(f"woken by this process: {by_me}\n{woken.ours}")
toolkit.same("others", [toolkit.rows(one.ours) for one in (none, of_kernel)], [[], []])
