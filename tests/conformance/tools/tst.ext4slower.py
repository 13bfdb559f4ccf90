# Calls on a file of ext4: tools/ext4slower.d.
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with tempfile.TemporaryDirectory(dir="/var/tmp") as work:
    if subprocess.run(["stat", "-f", "-c", "%T", work], capture_output=True, text=True).stdout.strip() != "ext2/ext3":
        print("/var/tmp is not on ext4")
        sys.exit(toolkit.SKIP)
    path = f"{work}/a\nb"
    with toolkit.Alone("ext4slower", "-p", os.getpid(), 0) as every, toolkit.Alone("ext4slower", "-p", os.getpid(), 60000) as slow:
        file = os.open(path, os.O_CREAT | os.O_RDWR)
        os.write(file, b"x" * 5000)
        os.pread(file, 1000, 0)
        os.fsync(file)
        os.close(file)
        with open("/dev/null", "wb") as null:
            null.write(b"x")
        every.shows("fsync")
rows = re.findall(rf" {os.getpid()} +(\w+) +(\d+) +(\d+\.\d{{3}}) {work}/a\\nb$", every.ours, re.M)
toolkit.same("calls", [(call, int(size)) for call, size, _ in rows], [("openat", 0), ("write", 5000), ("pread64", 1000), ("fsync", 0)])
toolkit.same("not of ext4", "/dev/null" in every.ours, False)
toolkit.same("slow ones", toolkit.rows(slow.ours), [])
