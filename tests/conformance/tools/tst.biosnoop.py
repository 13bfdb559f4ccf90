# Requests to a loop device at known places: tools/biosnoop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with toolkit.LoopDisk() as disk:
    def dd(*words):
        subprocess.run(["dd", "status=none", *words], check=True)

    with toolkit.Alone("biosnoop", "-d", disk.name) as plain, toolkit.Alone("biosnoop", "-Q", "-d", disk.name) as queued, \
            toolkit.Alone("biosnoop", "-p", os.getpid()) as of_another:
        for at in range(12):
            dd("if=/dev/zero", f"of={disk.path}", "bs=4096", "count=1", f"seek={3 * at}", "oflag=direct", "conv=notrunc")
        for at in range(7):
            dd(f"if={disk.path}", "of=/dev/null", "bs=8192", "count=1", f"skip={at}", "iflag=direct")
truth = [("W", 24 * at, 4096) for at in range(12)] + [("R", 16 * at, 8192) for at in range(7)]
for one, columns in (plain, r" +(\d+\.\d{3})"), (queued, r" +\d+\.\d{3} +(\d+\.\d{3})"):
    rows = re.findall(rf"^ *\d+\.\d{{6}} (\S+) +(\d+) +{disk.name} +([RW]) +(\d+) +(\d+){columns}$", one.ours, re.M)
    toolkit.same("requests", [(kind, int(sector), int(size)) for _, _, kind, sector, size, _ in rows], truth)
    toolkit.same("times", all(0 < float(ms) < 60000 for *_, ms in rows), True)
toolkit.same("of another process", [row for row in toolkit.rows(of_another.ours) if f" {disk.name} " in row], [])
