# Pages that are written to the disk because a program asks for it: tools/writeback.d.
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
    status = os.stat(file.name)
    device = f"{os.major(status.st_dev)}:{os.minor(status.st_dev)}"
    with toolkit.Alone("writeback", "-d", device) as mine, toolkit.Alone("writeback", "-m", 60000000) as long_ones:
        file.write(b"x" * (1 << 20))
        file.flush()
        os.system(f"sync -f {file.name}")
        try:
            mine.shows("WB_REASON_SYNC")
        except SystemExit:
            print(f"/var/tmp is on {device}, to which the kernel does not write back by itself")
            sys.exit(toolkit.SKIP)
rows = re.findall(rf"^\S+ \S+ \S+ \S+ +{device} +(\d+) +(\d+\.\d{{3}}) enum wb_reason (\w+)$", mine.ours, re.M)
toolkit.same(f"pages: {rows}", sum(int(pages) for pages, _, _ in rows) >= 256, True)
toolkit.same("others", len(toolkit.rows(mine.ours)), len(rows))
toolkit.same("long ones", toolkit.rows(long_ones.ours), [])
