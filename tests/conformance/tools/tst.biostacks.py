# Requests to a loop device: tools/biostacks.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with toolkit.LoopDisk() as disk:
    with toolkit.Alone("biostacks", "-d", disk.name) as one, toolkit.Alone("biostacks", "-d", disk.name, "-p", os.getpid()) as of_another:
        for at in range(12):
            subprocess.run(["dd", "status=none", "if=/dev/zero", f"of={disk.path}", "bs=4096", "count=1", f"seek={3 * at}",
                            "oflag=direct", "conv=notrunc"], check=True)
blocks = re.findall(r"\n((?:\w+`\S+\n)+)us\n +value.*\n((?: +\d+ \|.*\n)+)", one.ours)
written = sum(int(row.split()[-1]) for stack, rows in blocks if "write" in stack for row in rows.splitlines())
toolkit.same("requests that were written", written, 12)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
