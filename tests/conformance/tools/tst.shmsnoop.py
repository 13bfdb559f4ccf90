# A segment is created, attached, detached and removed; another one does not exist: tools/shmsnoop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
libc.shmdt.argtypes = [ctypes.c_void_p]
KEY, SIZE, CREATE, ONLY_READ, REMOVE = 0x4dab, 12345, 0o1600, 0o10000, 0
with toolkit.Alone("shmsnoop", "-p", os.getpid()) as mine, toolkit.Alone("shmsnoop", "-n", "no-such") as of_another:
    id_ = libc.shmget(KEY, SIZE, CREATE)
    at = libc.shmat(id_, None, ONLY_READ)
    libc.shmdt(at)
    libc.shmctl(id_, REMOVE, None)
    libc.shmget(KEY + 1, SIZE, 0)
    mine.shows(f"{KEY + 1:#x}")
rows = [re.sub(r" +", " ", row.split(None, 2)[2]) for row in toolkit.rows(mine.ours)]
toolkit.same("calls", rows, [f"shmget {id_} key: {KEY:#x}, size: {SIZE}, flags: {CREATE:#o}".replace("0o", "0"),
                             f"shmat {at:#x} id: {id_}, address: 0, flags: {ONLY_READ:#o}".replace("0o", "0"),
                             f"shmdt 0 address: {at:#x}", f"shmctl 0 id: {id_}, command: {REMOVE}",
                             f"shmget -2 key: {KEY + 1:#x}, size: {SIZE}, flags: 0"])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
