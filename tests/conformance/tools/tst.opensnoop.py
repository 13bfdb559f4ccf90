# Files that are opened, and some that cannot be: tools/opensnoop.d, and bcc's.
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def open_one(path, flags=os.O_RDONLY):
    """(descriptor or -1, error) as the call tells it."""
    try:
        fd = os.open(path, flags)
    except OSError as error:
        return -1, error.errno
    os.close(fd)
    return fd, 0


with tempfile.TemporaryDirectory() as work:
    with toolkit.Both("opensnoop", live=f"{work}/mark", meanwhile=lambda: open_one(f"{work}/mark")) as both:
        truth = []
        for i in range(50):
            path = f"{work}/{i}-" + "x" * i
            truth.append((*open_one(path), path))
            truth.append((*open_one(path, os.O_CREAT | os.O_RDWR), path))
            truth.append((*open_one(path, os.O_CREAT | os.O_EXCL), path))
        truth.append((*open_one(f"{work}/last"), f"{work}/last"))
        both.wait(f"{work}/last", f"{work}/last")


def of_mine(text):
    events = re.finditer(r"^(\d+) +(.*?) +(-?\d+) +(\d+) (.*)$", text, re.M)
    return [(int(m[3]), int(m[4]), m[5]) for m in events
            if int(m[1]) == os.getpid() and m[5].startswith(work) and not m[5].endswith("mark")]


toolkit.same("opened", of_mine(both.ours), truth)
both.is_compared()
toolkit.same("bcc's", of_mine(both.theirs), truth)
