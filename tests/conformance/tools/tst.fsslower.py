# Operations of this process on a file system in memory, and a threshold that none of them reaches: tools/fsslower.d.
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
    with toolkit.Alone("fsslower", "-p", me, "-t", kind, "0") as every, \
            toolkit.Alone("fsslower", "-p", me, "-t", kind, "600000") as slow, \
            toolkit.Alone("fsslower", "-p", me, "-t", "no-such-type", "-Z", "0") as none:
        file = os.open(f"{work}/a\nb", os.O_CREAT | os.O_RDWR)
        os.write(file, b"x" * 123)
        os.pread(file, 45, 0)
        os.fsync(file)
        os.close(file)
        every.shows(" F ")
name = f"{work}/a" + "\\nb"
rows = re.findall(rf" {me} +{kind} +([RWOF]) +(\d+) +(\d+\.\d{{3}}) (.*)$", every.ours, re.M)
toolkit.same("operations", [(what, int(size)) for what, size, _, file in rows if file == name],
             [("O", 0), ("W", 123), ("R", 45), ("F", 0)])
toolkit.same("slow ones", toolkit.rows(slow.ours), [])
toolkit.same("on another type", toolkit.rows(none.ours), [])
