# A process that sleeps until its time has come, and one that this process wakes: tools/wakeuptime.d.
import os
import re
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

COMMAND = open("/proc/self/comm").read().strip()


def blocks(text):
    found = re.findall(r"^(\S+) is woken by (.+)\n((?:[\w.]+`\S+\n)+)(\d+) us$", text, re.M)
    return [(sleeper, waker, stack, int(us)) for sleeper, waker, stack, us in found]


read, write = os.pipe()
done, says = os.pipe()
child = os.fork()
if child == 0:
    os.close(write)
    while os.read(read, 1):
        os.write(says, b"x")
    os._exit(0)
with Naps(100, 0.005) as naps:
    with toolkit.Alone("wakeuptime", "-p", naps.pid) as sleeps, toolkit.Alone("wakeuptime", "-p", naps.pid, "-m", 60000000) as none, \
            toolkit.Alone("wakeuptime", "-p", child) as woken:
        # One byte wakes it, and the next one once it sleeps again.
        for _ in range(2):
            os.write(write, b"x")
            os.read(done, 1)
            toolkit.until_asleep(child)
            time.sleep(0.1)
        os.write(write, b"x")
        os.read(done, 1)
        away = naps.take() * 1e6
os.close(write)
os.waitpid(child, 0)
asleep = sum(us for _, _, stack, us in blocks(sleeps.ours) if "hrtimer" in stack)
toolkit.same(f"asleep for {asleep} of {away:.0f} us", 0.95 * 100 * 5000 <= asleep <= away, True)
# Whichever thread the timer's interrupt has interrupted.
toolkit.same("wakers", {waker for _, waker, stack, _ in blocks(sleeps.ours) if "hrtimer" in stack}, {"an interrupt"})
toolkit.same("longer ones", blocks(none.ours), [])
by_me = [us for _, waker, stack, us in blocks(woken.ours) if waker == COMMAND and "pipe_write" in stack]
toolkit.same(f"woken by this process:\n{woken.ours}", sum(by_me) >= 200000, True)
