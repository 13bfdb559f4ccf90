# What the kernel itself counts in /proc/interrupts: tools/hardirqs.d.
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from disturbed import again  # noqa: E402


def counts():
    """By the name of the handler: the last word of the row; rows of the CPU's own interrupts have no number."""
    found = {}
    with open("/proc/interrupts") as file:
        for row in file.readlines()[1:]:
            words = row.split()
            numbers = [int(word) for word in words[1:os.cpu_count() + 1] if word.isdigit()]
            if words[0].rstrip(":").isdigit() and len(words) > len(numbers) + 1:
                found[words[-1]] = found.get(words[-1], 0) + sum(numbers)
    return found


def work():
    """Writes that reach the disk, if there is one with interrupts of its own."""
    with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
        for _ in range(20):
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())


def count():
    """What the tool counts by name, what the kernel counts meanwhile, and those that the tool has too few of."""
    before = counts()
    with toolkit.Alone("hardirqs", "-C") as number:
        inner = counts()
        work()
        end = counts()
    after = counts()
    found = {name: int(times) for name, times in re.findall(r"^(\S+) +(\d+)$", number.ours, re.M)}
    few = []
    for name in end:
        least, most = end[name] - inner[name], after[name] - before[name]
        times = found.get(name, 0)
        toolkit.same(f"{name}: {times} of at most {most}", times <= most, True)
        if times < 0.98 * least - 2:
            few.append(f"{name}: {times} of {least} to {most}")
    return found, inner, end, few


# Some hosts hide threads of process 1 from tracing, and with them the interrupts that such a thread is interrupted by.
rows, inner, end, few = count()
while few:
    again(few[0])
    rows, inner, end, few = count()
with toolkit.Alone("hardirqs") as time, toolkit.Alone("hardirqs", "-d") as each:
    work()
busy = {name for name, times in rows.items() if end.get(name, 0) - inner.get(name, 0) >= 10}
for name in busy:
    toolkit.same(f"time of {name}", re.search(rf"^{re.escape(name)} +\d+$", time.ours, re.M) is not None, True)
    toolkit.same(f"each of {name}", toolkit.counted(each.ours, f"  {name}, us") > 0, True)
