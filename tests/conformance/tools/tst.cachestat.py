# A file is read twice: first it is not in memory, then it is: tools/cachestat.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import tempfile

PAGE, PAGES, CHUNK = 4096, 300, 16
if os.sysconf("SC_PAGE_SIZE") != PAGE:
    print("pages have another size")
    sys.exit(toolkit.SKIP)


def is_resident(file):
    """Whether any page of this file is in memory."""
    import ctypes
    import mmap
    with mmap.mmap(file.fileno(), PAGES * PAGE) as view:
        there = (ctypes.c_ubyte * PAGES)()
        at = ctypes.c_char.from_buffer(view)
        ctypes.CDLL(None).mincore(ctypes.c_void_p(ctypes.addressof(at)), ctypes.c_size_t(PAGES * PAGE), there)
        del at
        return any(one & 1 for one in there)


def keep(file):
    """Locks the pages of the file in memory, as the kernel may take back others at any time."""
    import ctypes
    import mmap
    view = mmap.mmap(file.fileno(), PAGES * PAGE)
    at = ctypes.c_char.from_buffer(view)
    if ctypes.CDLL(None, use_errno=True).mlock(ctypes.c_void_p(ctypes.addressof(at)), ctypes.c_size_t(PAGES * PAGE)) != 0:
        sys.exit(f"mlock: {os.strerror(ctypes.get_errno())}")
    return view, at


# What reads is another process: this one reads what the script prints.
READER = f"""
import os, sys
file = os.open(sys.argv[1], os.O_RDWR)
for command in iter(sys.stdin.buffer.readline, b""):
    if command == b"all\\n":
        os.lseek(file, 0, os.SEEK_SET)
        while os.read(file, {CHUNK * PAGE}):
            pass
    elif command == b"more\\n":
        os.pread(file, {2 * PAGES * PAGE}, 0)
    elif command == b"one\\n":
        os.pread(file, 1, {PAGE})
    else:
        os.pwrite(file, b"y" * {5 * PAGE}, {PAGES * PAGE})
    os.write(1, b"d")
"""
with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
    file.write(b"x" * (PAGES * PAGE))
    file.flush()
    os.fsync(file.fileno())
    reader = subprocess.Popen([sys.executable, "-S", "-c", READER, file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(*commands):
        """Has it read in these ways, one after another."""
        for command in commands:
            reader.stdin.write(command + b"\n")
            reader.stdin.flush()
            reader.stdout.read(1)

    read(b"one")
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if is_resident(file):
        print("this file system keeps the pages")
        sys.exit(toolkit.SKIP)
    with toolkit.Alone("cachestat", "-p", reader.pid, 1000) as cold:
        read(b"all")
    kept = keep(file)
    with toolkit.Alone("cachestat", "-P", "-p", reader.pid, 1000) as warm, toolkit.Alone("cachestat", "-p", toolkit.another(), 1000) as of_another:
        read(b"all", b"more", b"one", b"write")
    reader.communicate(timeout=60)
toolkit.same("cold", re.findall(r"^all +(\d+) +(\d+)$", cold.ours, re.M), [(str(PAGES), str(PAGES))])
toolkit.same("warm", re.findall(r"^python\S* +(\d+) +(\d+)$", warm.ours, re.M), [(str(2 * PAGES + 1), "0")])
toolkit.same("of another", re.findall(r"^\S+ +\d+ +\d+$", of_another.ours, re.M), [])
