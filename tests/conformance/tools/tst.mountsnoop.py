# A file system that is mounted and unmounted, and some that cannot be: tools/mountsnoop.d, and bcc's.
import ctypes
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

libc = ctypes.CDLL(None, use_errno=True)


def umount(path):
    libc.umount2(path.encode(), 2)


def of(text, work):
    return [(call, result) for call, path, result in re.findall(r' (mount|umount2?)\(.*?"(?:none", ")?(/[^"]*)".*\) = (\S+)\s*$', text, re.M)
            if path.startswith(f"{work}/there")]


with tempfile.TemporaryDirectory() as work:
    os.mkdir(f"{work}/there")
    with toolkit.Both("mountsnoop", live=f"{work}/mark", meanwhile=lambda: umount(f"{work}/mark")) as both, \
            toolkit.Alone("mountsnoop", "-p", os.getpid(), "-t") as mine:
        subprocess.run(["unshare", "-m", "sh", "-c", f"mount -t tmpfs none {work}/there; umount {work}/there; exit 0"], check=True)
        umount(f"{work}/x\nforged")
        umount(f"{work}/last")
        both.wait(f"{work}/last", f"{work}/last")
        mine.shows(f"{work}/last")
toolkit.same("calls", of(both.ours, work), [("mount", "0"), ("umount2", "0")])
toolkit.same("type and flags", f'mount("none", "{work}/there", "tmpfs", 0x0) = 0' in both.ours, True)
own = [line.split(" umount2(")[1] for line in toolkit.rows(mine.ours) if "mark" not in line]
toolkit.same("of this process", own, [f'"{work}/x\\nforged", 0x2) = -2', f'"{work}/last", 0x2) = -2'])
space = str(os.stat("/proc/self/ns/mnt").st_ino)
toolkit.same("its namespace", {line.split()[-5] for line in toolkit.rows(mine.ours) if line.endswith("-2")}, {space})
both.is_compared()
toolkit.same("bcc's", [call[:5] for call, _ in of(both.theirs, work)], ["mount", "umoun"])
