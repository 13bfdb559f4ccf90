# A pipe that has nothing for a while, and a file: tools/fileslower.d.
import os
import re
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

PAUSE = 0.06
me = os.getpid()
with tempfile.TemporaryDirectory() as work:
    with toolkit.Alone("fileslower", "-p", me, "0") as every, toolkit.Alone("fileslower", "-a", "-p", me, "50") as slow, \
            toolkit.Alone("fileslower", "-p", me, "50") as of_files:
        read, write = os.pipe()
        timer = threading.Timer(PAUSE, lambda: os.write(write, b"late"))
        started = time.monotonic()
        timer.start()
        os.read(read, 100)
        took = (time.monotonic() - started) * 1000
        file = os.open(f"{work}/a\nb", os.O_CREAT | os.O_RDWR)
        os.write(file, b"x" * 1234)
        os.pread(file, 100, 0)
        os.close(file)
        every.shows("pread64")
        slow.shows("pipe:")


def rows(text):
    return re.findall(rf" {me} +\S+ +(\w+) +(-?\d+) +(\d+\.\d{{3}}) (.*)$", text, re.M)


name = f"{work}/a" + "\\nb"
toolkit.same("of the file", [row[:2] for row in rows(every.ours) if row[3] == name], [("write", "1234"), ("pread64", "100")])
late = [row for row in rows(slow.ours) if row[1] == "4" and row[3].startswith("pipe:")]
toolkit.same("of the pipe", [row[0] for row in late], ["read"])
toolkit.same(f"{late[0][2]} ms of {took}", 50 <= float(late[0][2]) <= took, True)
toolkit.same("the pipe without -a", [row for row in rows(of_files.ours) if row[3].startswith("pipe:")], [])
