# A thread that waits for a lock which another one holds for a known time: tools/futexctn.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

PROGRAM = """
import sys, threading, time
lock = threading.Lock()
def work():
    with lock:
        pass
while sys.stdin.buffer.read(1):
    with lock:
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.05)
    thread.join()
"""
with subprocess.Popen([sys.executable, "-S", "-c", PROGRAM], stdin=subprocess.PIPE) as program:
    with toolkit.Alone("futexctn", "-m", "-p", program.pid) as mine, toolkit.Alone("futexctn", "-p", program.pid, "-l", 1) as at_another:
        program.stdin.write(b"xxxx")
        program.stdin.close()
        program.wait(60)
# Each wait is 50 ms, but for the time until the thread runs; some other waits of Python are short.
blocks = re.findall(rf"^\S+\[{program.pid}\] waits at 0x[0-9a-f]+\n((?:\S+\n)*)ms\n +value.*\n((?: +\d+ \|.*\n)+)", mine.ours, re.M)
long_ones = sum(int(row.split()[-1]) for _, rows in blocks for row in rows.splitlines() if int(row.split()[0]) >= 16)
toolkit.same(f"waits:\n{mine.ours}", long_ones >= 4 and any("futex" in stack for stack, _ in blocks), True)
toolkit.same("at another", toolkit.rows(at_another.ours), [])
