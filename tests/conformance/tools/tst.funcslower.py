# Naps, which take a known time, and calls that are fast: tools/funcslower.d.
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

with Naps(20, 0.004) as naps:
    with toolkit.Alone("funcslower", "-p", naps.pid, "-u", "3000", "-K", "syscall::clock_nanosleep") as slow, \
            toolkit.Alone("funcslower", "-p", naps.pid, "-u", "60000000", "syscall::clock_nanosleep") as none:
        naps.take()
rows = re.findall(rf" {naps.pid} +{naps.pid} +(\d+) +0 clock_nanosleep$", slow.ours, re.M)
toolkit.same("naps", len(rows), 20)
toolkit.same(f"times {rows}", all(int(us) >= 4000 for us in rows), True)
toolkit.same("stacks", "vmlinux`do_syscall_64" in slow.ours, True)
toolkit.same("slower ones", toolkit.rows(none.ours), [])

# The seconds since the start, in the order in which the calls return.
with Naps(3, 0.004) as naps, toolkit.Alone("funcslower", "-t", "-p", naps.pid, "-u", "3000", "syscall::clock_nanosleep") as timed:
    naps.take()
heading, *lines = timed.ours.splitlines()
toolkit.same("heading with -t", heading.split()[:3], ["TIME(s)", "TIME", "COMMAND"])
seconds = [float(re.fullmatch(rf"(\d+\.\d{{6}}) +\d{{4}} .* {naps.pid} +\d+ +0 clock_nanosleep", line)[1]) for line in lines if line]
toolkit.same(f"seconds {seconds}", (len(seconds), 0 < seconds[0], all(b - a >= 0.004 for a, b in zip(seconds, seconds[1:]))), (3, True, True))

# What a call returns.
with open("/dev/zero", "rb", buffering=0) as zeros, \
        toolkit.Alone("funcslower", "-p", os.getpid(), "-u", "0", "syscall::read") as every:
    zeros.read(20)
    zeros.read(4711)
    every.shows(" 0x1267 read$")
toolkit.same("returned", re.findall(r" (0x14|0x1267) read$", every.ours, re.M), ["0x14", "0x1267"])

# A text that an argument points to, as it was at the entry.
with tempfile.TemporaryDirectory() as work, \
        toolkit.Alone("funcslower", "-p", os.getpid(), "-u", "0", "-s", "1", "syscall::openat") as texts:
    for name in "first", "last\n":
        os.close(os.open(f"{work}/{name}", os.O_CREAT | os.O_WRONLY))
    texts.shows("/last")
toolkit.same("texts", re.findall(rf' openat "{work}/(.*)"$', texts.ours, re.M), ["first", r"last\n"])
