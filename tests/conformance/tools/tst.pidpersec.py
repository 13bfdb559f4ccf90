# Processes and threads that are created, beside what the kernel counts itself: tools/pidpersec.d.
import os
import re
import subprocess
import sys
import threading

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

PROCESSES, THREADS = 25, 13


def created():
    """Processes and threads since the system started."""
    with open("/proc/stat") as file:
        return int(re.search(r"^processes (\d+)$", file.read(), re.M)[1])


before = created()
with toolkit.Alone("pidpersec", "200ms") as one:
    for _ in range(PROCESSES):
        subprocess.run(["/bin/true"], check=True)
    for _ in range(THREADS):
        thread = threading.Thread(target=lambda: None)
        thread.start()
        thread.join()
    # Two more rows, so that the first of them has all of it.
    lines = one.script.text().count("\n")
    one.shows(r"\A(?:.*\n){%d}" % (lines + 2))
after = created()
rows = [tuple(map(int, row)) for row in re.findall(r"^\d{4} .* +(\d+) +(\d+)$", one.ours, re.M)]
processes, threads = (sum(row[i] for row in rows) for i in (0, 1))
toolkit.same(f"{processes} processes, {threads} threads", (processes >= PROCESSES, threads >= THREADS), (True, True))
toolkit.same(f"{processes + threads} of {after - before}", processes + threads <= after - before, True)
with toolkit.Alone("pidpersec", "50ms", "2") as short:
    toolkit.same("its end", short.script.process.wait(60), 0)
toolkit.same(short.ours, len(toolkit.rows(short.ours)), 2)
