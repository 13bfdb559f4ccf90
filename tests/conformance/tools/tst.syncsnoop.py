# Calls that wait for the disk, one of them with a descriptor that is not open: tools/syncsnoop.d.
import mmap
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with tempfile.TemporaryDirectory() as work:
    path = f"{work}/a\nb"
    with toolkit.Alone("syncsnoop") as plain, toolkit.Alone("syncsnoop", "-p", os.getpid()) as mine:
        file = os.open(path, os.O_CREAT | os.O_RDWR)
        os.write(file, b"x" * 4096)
        os.fsync(file)
        os.fdatasync(file)
        with mmap.mmap(file, 4096) as memory:
            memory[0] = 1
            memory.flush()
        os.close(file)
        try:
            os.fsync(1000000)
        except OSError:
            pass
        for one in plain, mine:
            one.shows("<none>")
shown = work + "/a\\nb"
truth = [("fsync", shown), ("fdatasync", shown), ("msync", "-"), ("fsync", "<none>")]
for one in plain, mine:
    rows = re.findall(rf" {os.getpid()} +\S+ +(\w+) +(\d+\.\d{{3}}) (.*)$", one.ours, re.M)
    toolkit.same("calls", [(call, file) for call, _, file in rows], truth)
    toolkit.same("times", all(float(ms) < 60000 for _, ms, _ in rows), True)
toolkit.same("of this process", len(toolkit.rows(mine.ours)), len(truth))
