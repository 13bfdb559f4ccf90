# Processes that compete for one CPU: all but one of them wait at any time. tools/runqlen.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

BUSY = 5
cpu = max(os.sched_getaffinity(0))
spinners = [subprocess.Popen([sys.executable, "-S", "-c", f"import os\nos.sched_setaffinity(0, [{cpu}])\n"
                              "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE) for _ in range(BUSY)]
try:
    for spinner in spinners:
        spinner.stdout.readline()
    with toolkit.Alone("runqlen", "-C", "-f", "997", "700ms", "1") as by_cpu, \
            toolkit.Alone("runqlen", "-T", "700ms", "1") as of_all:
        for one in by_cpu, of_all:
            toolkit.same("its end", one.script.process.wait(60), 0)
finally:
    for spinner in spinners:
        spinner.kill()
        spinner.wait()
rows = re.findall(r"^ +(\d+) \|.* (\d+) *$", by_cpu.ours[by_cpu.ours.index(f"  CPU {cpu},"):].split("\n  CPU")[0], re.M)
toolkit.same(f"waiting {rows}", [int(length) for length, count in rows if int(count) and int(length) < BUSY - 1], [])
toolkit.same("samples", sum(int(count) for _, count in rows) > 0, True)
# The first row may be that of what is less than 0.
toolkit.same("of all", sum(map(int, re.findall(r"^ +\d+ \|.* (\d+) *$", of_all.ours, re.M))) > 0, True)
