# Values that a process passes to a system call: tools/argdist.d.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

VALUES = {19: 7, 3: 40, 0: 2, -1: 1}  # the second argument: how often
me = os.getpid()
with toolkit.Alone("argdist", "-p", me, "syscall::getpriority:entry", "1") as values, \
        toolkit.Alone("argdist", "-T", "1", "-p", me, "syscall::getpriority:entry", "1") as top, \
        toolkit.Alone("argdist", "-H", "-p", me, "syscall::getpriority:entry", "1") as histogram, \
        toolkit.Alone("argdist", "-d", "100ms", "-p", toolkit.another()) as of_another:
    for value, number in VALUES.items():
        for _ in range(number):
            try:
                os.getpriority(os.PRIO_PROCESS, value & 0xffffffff if value < 0 else value)
            except (OSError, OverflowError):
                pass
    toolkit.same("its end", of_another.script.process.wait(60), 0)


def rows(text):
    return {int(value): int(number) for value, number in re.findall(r"^getpriority +(-?\d+) +(\d+)$", text, re.M)}


wanted = {value: number for value, number in VALUES.items() if value >= 0}
toolkit.same("values", {value: number for value, number in rows(values.ours).items() if value in wanted}, wanted)
toolkit.same("the most frequent one", rows(top.ours), {3: 40})
buckets = {int(value): int(count) for value, count in re.findall(r"^ +(-?\d+) \|.* (\d+) *$", histogram.ours, re.M) if int(count)}
toolkit.same("histogram", (buckets[2], buckets[16], buckets[0]), (40, 7, 2))
toolkit.same("of another", rows(of_another.ours), {})
