# Files that are opened, and some that cannot be: tools/opensnoop.d, and bcc's.
import ctypes
import errno
import os
import re
import sys
import tempfile
import threading

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

SYS_CREAT = 85


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


def open_otherwise(directory, name):
    """Opens a file of the directory by a path that begins in it, by a link, and, in vain, by a name that it does not have."""
    within = os.open(directory, os.O_PATH)
    ctypes.CDLL(None).syscall(SYS_CREAT, f"{directory}/{name}-created".encode(), 0o600)
    for path in name, f"{name}-link", f"{name}-no":
        try:
            os.close(os.open(path, os.O_RDONLY, dir_fd=within))
        except FileNotFoundError:
            pass
    os.close(within)


# The options. A newline in a path makes no line.
with tempfile.TemporaryDirectory() as other, \
        toolkit.Alone("opensnoop", "-x", "-p", os.getpid()) as failed, \
        toolkit.Alone("opensnoop", "-e", "-U", "-T", "-t", threading.get_native_id(), "-u", os.getuid()) as extended, \
        toolkit.Alone("opensnoop", "-n", "no-such-name") as of_another, \
        toolkit.Alone("opensnoop", "-P", f"{other}/ma") as by_path, toolkit.Alone("opensnoop", "-P", f"{other}/on") as by_none, \
        toolkit.Alone("opensnoop", "-d", "100ms") as short:
    open_one(f"{other}/made", os.O_CREAT | os.O_WRONLY)
    open_one(f"{other}/made", os.O_CREAT | os.O_EXCL)
    open_one(f"{other}/x\n{1:<8} forged")
    os.symlink("made", f"{other}/made-link")
    open_otherwise(other, "made")
    open_one(f"{other}/last")
    open_one(f"{other}/mark")
    for one in failed, extended:
        one.shows(f"{other}/last")
    by_path.shows(f"{other}/mark")
    toolkit.same("the end of -d", short.script.process.wait(60), 0)


def tails(text):
    return [line.split(other, 1)[1] for line in text.splitlines() if other in line]


toolkit.same("failed", tails(failed.ours), ["/made", "/x\\n1        forged", "/last", "/mark"])
toolkit.same("by path", [row.rsplit(None, 1)[1].removeprefix(other) for row in toolkit.rows(by_path.ours)],
             ["/made", "/made", "/made-created", "made", "made-link", "made-no", "/mark"])
toolkit.same("by a path that nothing has", toolkit.rows(by_none.ours), [])
rows = re.findall(rf"^\d{{4}} .{{15}} +{os.getuid()} +{os.getpid()} +\S+ +(-?\d+) +(\d+) ([0-9a-f]{{8}}) {other}/made$",
                  extended.ours, re.M)
toolkit.same("with flags", [(int(err), int(flags, 16) & ~os.O_CLOEXEC) for _, err, flags in rows],
             [(0, os.O_CREAT | os.O_WRONLY), (errno.EEXIST, os.O_CREAT | os.O_EXCL)])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
both.is_compared()
toolkit.same("bcc's", of_mine(both.theirs), truth)
