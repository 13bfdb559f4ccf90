# Known numbers of system calls, some of which fail: tools/syscount.d, and bcc's.
import os
import re
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

CALLS, FAILURES = 500, 70


def work():
    for _ in range(CALLS):
        os.getpriority(os.PRIO_PROCESS, 0)
    for _ in range(FAILURES):
        try:
            os.fchdir(1000000)
        except OSError:
            pass


def counts(text, pattern=r"^(\w+) +(\d+)$"):
    return {name: int(number) for name, number in re.findall(pattern, text, re.M)}


me = os.getpid()
# bcc's prints the ten calls that are made most often, so a process of its own makes them.
read, write = os.pipe()
done, says = os.pipe()
child = os.fork()
if child == 0:
    os.read(read, 1)
    work()
    os.write(says, b"x")
    os.read(read, 1)
    os._exit(0)
with toolkit.Both("syscount", ours=["-p", child], theirs=["-p", child], live=None) as both:
    os.write(write, b"x")
    os.read(done, 1)
os.write(write, b"x")
os.waitpid(child, 0)
ours = counts(both.ours)
toolkit.same("calls", (ours.get("getpriority"), ours.get("fchdir")), (CALLS, FAILURES))

with toolkit.Alone("syscount", "-p", me, "-x", "-e", 9) as failed, toolkit.Alone("syscount", "-p", me, "-L") as timed, \
        toolkit.Alone("syscount", "-P", "-p", me, "-d", "100ms", "-T", 1) as by_process, \
        toolkit.Alone("syscount", "-p", toolkit.another()) as of_another:
    work()
    time.sleep(0.2)
    toolkit.same("its end", by_process.script.process.wait(60), 0)
toolkit.same("failed", counts(failed.ours), {"fchdir": FAILURES})
rows = {name: (int(us), int(number)) for name, us, number in re.findall(r"^(\w+) +(\d+) +(\d+)$", timed.ours, re.M)}
toolkit.same("timed", rows["getpriority"][1], CALLS)
times = [us for us, _ in rows.values()]
toolkit.same("the longest first", times, sorted(times, reverse=True))
toolkit.same(f"times {rows}", (rows["clock_nanosleep"][0] >= 200000, rows["getpriority"][0] >= CALLS // 100), (True, True))
toolkit.same("by process", re.findall(r"^\S+ +(\d+) +\d+$", by_process.ours, re.M), [str(me)])
toolkit.same("of another", counts(of_another.ours), {})
both.is_compared()
theirs = counts(both.theirs, r"^(\w+) +(\d+)\s*$")
toolkit.same("bcc's", (theirs.get("getpriority"), theirs.get("fchdir")), (CALLS, FAILURES))
