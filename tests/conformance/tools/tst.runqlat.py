# A process that sleeps often: each time that it comes back to a CPU, it has waited for it. tools/runqlat.d, and bcc's.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

with Naps(300, 0.001) as naps:
    with toolkit.Both("runqlat", ours=["-p", naps.pid], theirs=["-p", naps.pid], live="Tracing") as both:
        before = naps.switches()
        naps.take()
        after = naps.switches()

# It was away from its CPU when tracing began and when it ended.
waits = after - before
# Where the machine is slow a nap can be over before it begins.
toolkit.same(f"it has slept {waits} times", waits >= 200, True)
# Of some threads, such as those of an agent that the machine is run by, the kernel does not tell that they leave:
# what comes after them to their CPU is missing, for every tracer.
toolkit.same(f"{toolkit.counted(both.ours)} waits of {waits}", 0.95 * waits <= toolkit.counted(both.ours) <= waits, True)

# By process, in milliseconds, in two reports and no more.
with Naps(100, 0.001) as others:
    with toolkit.Alone("runqlat", "-P", "-m", "-T", "200ms", "2") as by_process:
        first = others.switches()
        others.take()
        last = others.switches()
        toolkit.same("its end after two reports", by_process.script.process.wait(60), 0)
reports = re.findall(r"^\d{4} \w{3} [ \d]\d \d\d:\d\d:\d\d$", by_process.ours, re.M)
toolkit.same(f"reports of\n{by_process.ours}", len(reports), 2)
counts = [toolkit.counted(part) for part in re.split(rf"(?=^  \S+ {others.pid}, ms$)", by_process.ours, flags=re.M)[1:]]
toolkit.same(f"{counts} of {last - first}", 0 < sum(counts) <= last - first, True)
both.is_compared()
# bcc does not see the wait of a thread that was preempted on its way to sleep.
toolkit.same(f"bcc's {toolkit.counted(both.theirs)} of {waits}", 0.95 * waits <= toolkit.counted(both.theirs) <= waits, True)
