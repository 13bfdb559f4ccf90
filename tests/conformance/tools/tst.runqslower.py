# Processes that compete for one CPU: their waits, and what the kernel itself counts. tools/runqslower.d.
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def waited_us(pid):
    with open(f"/proc/{pid}/schedstat") as file:
        return int(file.read().split()[1]) / 1000


cpu = max(os.sched_getaffinity(0))
spinners = [subprocess.Popen([sys.executable, "-S", "-c", f"import os\nos.sched_setaffinity(0, [{cpu}])\n"
                              "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE) for _ in range(2)]
try:
    for spinner in spinners:
        spinner.stdout.readline()
    pid = spinners[0].pid
    outer = waited_us(pid)
    with toolkit.Alone("runqslower", "-p", pid, "0") as every, toolkit.Alone("runqslower", "-t", pid, "1000") as slow:
        before = waited_us(pid)
        time.sleep(0.5)
        after = waited_us(pid)
finally:
    outer = waited_us(pid) - outer
    for spinner in spinners:
        spinner.kill()
        spinner.wait()


def waits(text):
    return [int(us) for us in re.findall(rf" {pid} +{pid} +(\d+)$", text, re.M)]


# The wait that goes on when tracing ends is not seen.
toolkit.same(f"{sum(waits(every.ours))} of {after - before:.0f} to {outer:.0f} us",
             0.7 * (after - before) <= sum(waits(every.ours)) <= outer * 1.02 + 1000, True)
toolkit.same(f"slow ones {waits(slow.ours)}", (bool(waits(slow.ours)), all(us >= 1000 for us in waits(slow.ours))), (True, True))
