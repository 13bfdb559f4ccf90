# Operations of this process on a file system in memory: tools/fsdist.d.
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

if not os.path.isdir("/dev/shm") or not os.access("/dev/shm", os.W_OK):
    print("there is no /dev/shm")
    sys.exit(toolkit.SKIP)
me = os.getpid()
with tempfile.TemporaryDirectory(dir="/dev/shm") as work:
    kind = next(line.split()[2] for line in open("/proc/mounts") if line.split()[1] == "/dev/shm")
    with toolkit.Alone("fsdist", "-p", me, "-t", kind) as one, toolkit.Alone("fsdist", "-p", me, "-t", "no-such-type", "-Z") as none:
        for _ in range(11):
            os.close(os.open(f"{work}/file", os.O_CREAT | os.O_RDWR))
        file = os.open(f"{work}/file", os.O_RDWR)
        for _ in range(33):
            os.write(file, b"x" * 100)
        for _ in range(22):
            os.pread(file, 100, 0)
        for _ in range(5):
            os.fsync(file)
        try:
            os.write(1000000, b"x")
        except OSError:
            pass
        os.close(file)
counts = {name: toolkit.counted(one.ours, f"  {kind} {name}, us") for name in ("open", "write", "read", "fsync")}
toolkit.same(f"operations\n{one.ours}", counts, {"open": 12, "write": 33, "read": 22, "fsync": 5})
toolkit.same("on another type", toolkit.rows(none.ours), [])
