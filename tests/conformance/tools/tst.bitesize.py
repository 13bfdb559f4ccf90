# Requests of known sizes to a loop device: tools/bitesize.d, and bcc's.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

SIZES = {4: 30, 64: 9}  # KiB: how many

with toolkit.LoopDisk() as disk:
    def work():
        for size, number in SIZES.items():
            subprocess.run(["dd", "status=none", "if=/dev/zero", f"of={disk.path}", f"bs={size}k", f"count={number}",
                            "oflag=direct", "conv=notrunc"], check=True)

    with toolkit.Both("bitesize", ours=["-d", disk.name], theirs=["-d", disk.name], live=None) as both, \
            toolkit.Alone("bitesize", "-d", disk.name, "-c", "no-such") as of_another:
        work()
found = {int(size): int(number) for size, number in re.findall(r"^ +(\d+) \|.* (\d+) *$", both.ours, re.M) if int(number)}
toolkit.same("sizes", found, SIZES)
toolkit.same("of another program", toolkit.rows(of_another.ours),
             ["No program called no-such has passed a request: without -c, the names of those that do are shown."])
both.is_compared()
toolkit.same("bcc's", toolkit.counted(both.theirs), sum(SIZES.values()))
