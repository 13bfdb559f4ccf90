#!/usr/bin/env python3
# @@host
"""argstr is what strace writes of calls with unusual arguments: no flag, unknown values, -1, NULL, addresses that are none."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Between two calls of umask(); all of them fail, or change nothing.
PROGRAM = r"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    libc.syscall(ctypes.c_long(number), *[ctypes.c_char_p(a) if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments])
NAME = b"/nonexistent"
def calls(call):
    call(95, 0o22)
    call(2, NAME, 3, 0)                                    # open
    call(2, NAME, 0o1000003, 0)
    call(257, -1, b"x", 0x80000001, 0)                     # openat
    call(0, -1, 0, -1)                                     # read
    call(17, -1, 0, -1, 5)                                 # pread64
    call(32 + 260, -1, -1, 0x80000)                        # dup3
    call(61, -5, 0, 0x40000003, 0)                         # wait4
    call(97, 7, 8)                                         # getrlimit
    call(160, 3, 8)
    call(302, -1, 3, 0, 0)                                 # prlimit64
    call(98, -2, 8)                                        # getrusage
    call(98, -1, 8)
    call(188, NAME, b"user.x", 0, 0, 3)                    # setxattr
    call(190, -1, b"user.x", 0, 0, 1)
    call(72, -1, 1033, 15)                                 # fcntl
    call(72, -1, 5, 0)
    call(327, -1, 0, 0, 0, 0, 0x1f)                        # preadv2
    call(295, -1, 0, 0, 5, 0)                              # preadv
    call(286, -1, 3, 8, 0)                                 # timerfd_settime
    call(223, -1, 1, 8, 0)                                 # timer_settime
    call(289, -1, 8, 8, 0x80800)                           # signalfd4
    call(434, -1, 0x800)                                   # pidfd_open
    call(298, 0, -1, -1, -1, 9)                            # perf_event_open
    call(158, 0x1003, 8)                                   # arch_prctl
    call(237, 1, 0, 0x8003, 0, 0, 7)                       # mbind
    call(238, 1, 8, 5)                                     # set_mempolicy
    call(279, -1, 0, 0, 0, 0, 6)                           # move_pages
    call(304, -1, 0, 5)                                    # open_by_handle_at
    call(303, -1, b"x", 0, 0, 0x1400)                      # name_to_handle_at
    for flags, mask in ((0, 0), (0x100, 0xfff), (0x2800, 0x7ff), (0x4000, 0x3001), (0x1900, 0xfff0)):
        call(332, -100, NAME, flags, mask, 8)              # statx
    for level, options in ((1, [*range(1, 54), 55, 56, 57, *range(59, 76)]), (6, range(1, 38))):
        for option in options:
            call(54, -1, level, option, 0, 0)              # setsockopt
    call(202, 8, 0x80, 1, 0, 0, 0)                         # futex
    for operation in (1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13):
        call(202, 8, operation, 1, 0, 16, 9)
    call(72, 1, 6, 1)                                      # fcntl
    call(41, 16, 3, 6)                                     # socket
    call(327, -1, 0, 0, -1, -1, 0)                         # preadv2
    call(202, 8, 0x81, 5, 0, 0, 0)
    call(202, 8, 0x189, 1, 0, 0, -1)
    call(235, NAME, 0)                                     # utimes
    call(125, 0, 0)                                        # capget
    call(41, 2, 2, 6)                                      # socket
    call(41, 10, 1, 17)
    call(45, -1, 0, 5, 0x50, 0, 0)                         # recvfrom
    call(68, 0x7fffff01, 0x800)                            # msgget
    call(95, 0o22)
for _ in range(2):
    calls(call)
"""

if not shutil.which("strace"):
    print("no strace")
    sys.exit(77)
with tempfile.TemporaryDirectory() as directory:
    program, traced = os.path.join(directory, "program.py"), os.path.join(directory, "strace")
    with open(program, "w") as file:
        file.write(PROGRAM)
    if subprocess.run(["strace", "-o", traced, sys.executable, program], capture_output=True).returncode != 0:
        print("strace cannot trace here")
        sys.exit(77)
    wanted = open(traced).read().splitlines()
    run = subprocess.run([os.environ["STAP"], "-e", 'probe syscall.*.return { if (pid() == target()) printf("%s(%s) = %s\\n", name, argstr, retstr) }',
                          "-c", f"{sys.executable} {program}"], capture_output=True, text=True)


def between(lines):
    """The calls of the second round, without their results and what may be elsewhere in memory."""
    marks = [i for i, line in enumerate(lines) if line.startswith("umask(022)")]
    if len(marks) < 4:
        return []
    calls = [re.sub(r"\) += .*", ")", line) for line in lines[marks[-2] + 1:marks[-1]]]
    return [re.sub(r"0x7[0-9a-f]{11}", "ADDRESS", one) for one in calls if not re.match(r"brk|mmap|munmap|rt_sig|futex\(0x7f", one)]


expected, seen = between(wanted), between(run.stdout.splitlines())
bad = [f"strace: {a}\n  stap: {b}" for a, b in zip(expected, seen) if a != b]
if len(expected) < 38 or len(expected) != len(seen):
    bad.append(f"{len(expected)} and {len(seen)} calls")
for one in bad:
    print(one)
if bad:
    print(run.stderr)
sys.exit(1 if bad else 0)
