# A program that uses a known number of new pages: tools/pagefaults.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

PAGES = 3000
PROGRAM = f"""
import mmap, sys
sys.stdin.buffer.read(1)
memory = mmap.mmap(-1, {PAGES} * 4096)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, {PAGES} * 4096, 4096):
    memory[at] = 1
"""
with subprocess.Popen([sys.executable, "-S", "-c", PROGRAM], stdin=subprocess.PIPE) as program:
    with toolkit.Alone("pagefaults", "-p", program.pid) as one, toolkit.Alone("pagefaults", "-s", "-T", 1000, "-p", program.pid) as stacks, \
            toolkit.Alone("pagefaults", "-n", "no-such-name") as of_another:
        program.stdin.write(b"x")
        program.stdin.close()
        program.wait(60)
faults = re.search(rf"^{program.pid} +\S+ +(\d+)$", one.ours, re.M)
toolkit.same(f"faults: {one.ours}", bool(faults) and PAGES <= int(faults[1]) < 3 * PAGES, True)
# A stack can end early where its code has just been seen for the first time.
by_stack = re.findall(r"^\S+\n((?:\S+\n)*)(\d+)$", stacks.ours, re.M)
toolkit.same(f"by stack: {stacks.ours}", sum(int(count) for _, count in by_stack) >= PAGES and any("mmap" in stack for stack, _ in by_stack), True)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
