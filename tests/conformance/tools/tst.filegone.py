# Files that are deleted and renamed: tools/filegone.d.
import ctypes
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

RENAME_EXCHANGE = 2
me = os.getpid()
with tempfile.TemporaryDirectory() as work, \
        toolkit.Alone("filegone", "-p", me) as mine, toolkit.Alone("filegone", "-p", 1) as of_another, \
        toolkit.Alone("filegone", "-P", f"{work}/tw") as by_path, toolkit.Alone("filegone", "-n", "no-such-name") as by_name:
    for name in ("one", "two", "three", "four", "x\ny"):
        open(f"{work}/{name}", "w").close()
    os.mkdir(f"{work}/directory")
    here = os.open(work, os.O_RDONLY)
    os.unlink(f"{work}/one")
    os.rename(f"{work}/three", f"{work}/two")
    os.unlink("two", dir_fd=here)
    os.rename("four", "five", src_dir_fd=here, dst_dir_fd=here)
    os.rmdir(f"{work}/directory")
    try:
        os.unlink(f"{work}/nothing")
    except FileNotFoundError:
        pass
    os.unlink(f"{work}/x\ny")
    # As `rm -r` removes a directory; and two that change places.
    os.mkdir(f"{work}/tree")
    os.rmdir("tree", dir_fd=here)
    open(f"{work}/six", "w").close()
    ctypes.CDLL(None).renameat2(here, b"five", here, f"{work}/six".encode(), RENAME_EXCHANGE)
    os.unlink(f"{work}/five")
    mine.shows(f"{work}/five$")
    by_path.shows("two$")
    os.close(here)


def events(one):
    found = re.findall(rf"^\d{{4}} .{{15}} +{me} +\S+ +(DELETE|RENAME|RMDIR|SWAP) +(.*)$", one.ours, re.M)
    # Those of the work, and not what the test's own machinery deletes.
    return [(what, path.replace(work, "")) for what, path in found if work in path]


truth = [("DELETE", "/one"), ("RENAME", "/three -> /two"), ("DELETE", "/two"), ("RENAME", "/four -> /five"), ("RMDIR", "/directory"),
         ("DELETE", "/x\\ny"), ("RMDIR", "/tree"), ("SWAP", "/five -> /six"), ("DELETE", "/five")]
toolkit.same("events", events(mine)[:len(truth)], truth)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
toolkit.same("by path", events(by_path), [("RENAME", "/three -> /two"), ("DELETE", "/two")])
toolkit.same("by name", toolkit.rows(by_name.ours), [])
