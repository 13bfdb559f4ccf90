# Requests to a loop device, in sequence and not: tools/biopattern.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with toolkit.LoopDisk() as disk:
    def read(skip, count):
        subprocess.run(["dd", "status=none", "bs=4k", f"if={disk.path}", "of=/dev/null", "iflag=direct", f"skip={skip}",
                        f"count={count}"], check=True)

    with toolkit.Alone("biopattern", "-d", disk.name) as one, toolkit.Alone("biopattern", "-d", "nosuch", "-Z") as none, \
            toolkit.Alone("biopattern", "-T", "-d", disk.name, "100ms", "2") as short:
        read(0, 20)  # the first of them may be anywhere
        for skip in range(40, 30, -1):
            read(skip, 1)
        toolkit.same("its end", short.script.process.wait(60), 0)
rows = [tuple(map(int, row)) for row in re.findall(rf"^{disk.name} +(\d+) +(\d+) +(\d+)$", one.ours, re.M)]
toolkit.same("requests", rows in ([(11, 19, 120)], [(10, 20, 120)]), True)
toolkit.same("of another disk", toolkit.rows(none.ours), [])
