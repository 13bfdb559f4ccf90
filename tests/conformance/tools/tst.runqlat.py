# A process that sleeps often: each time that it comes back to a CPU, it has waited for it. tools/runqlat.d, and bcc's.
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

with Naps(300, 0.001) as naps:
    with toolkit.Both("runqlat", ours=[naps.pid], theirs=["-p", naps.pid], live="Tracing") as both:
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
both.is_compared()
# bcc does not see the wait of a thread that was preempted on its way to sleep.
toolkit.same(f"bcc's {toolkit.counted(both.theirs)} of {waits}", 0.95 * waits <= toolkit.counted(both.theirs) <= waits, True)
