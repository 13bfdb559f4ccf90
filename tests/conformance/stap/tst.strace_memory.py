#!/usr/bin/env python3
# @@host
"""argstr shows what addresses lead to as strace does: addresses of sockets, times, limits, sets, arrays; and not what is not there."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Between two calls of umask(); nearly all of them fail. Memory is written before its call, so that it is there.
PROGRAM = r"""
import ctypes, mmap, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
kept = []
def at(data):
    kept.append(ctypes.create_string_buffer(bytes(data), max(len(data), 1)))
    return ctypes.addressof(kept[-1])
def call(number, *arguments):
    libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
def address(data, *lengths):
    for length in lengths or [len(data)]:
        call(42, -1, at(data + bytes(128)), length)        # connect
# Where memory ends: the last bytes of a page that nothing follows.
pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
pages.write(bytes(mmap.PAGESIZE))
edge = ctypes.addressof(ctypes.c_char.from_buffer(pages)) + mmap.PAGESIZE
libc.mprotect(ctypes.c_void_p(edge), mmap.PAGESIZE, 0)
def at_edge(data):
    ctypes.memmove(edge - len(data), bytes(data), len(data))
    return edge - len(data)
inet = struct.pack("=H", 2) + struct.pack("!H4s8x", 80, bytes([127, 0, 0, 1]))
inet6 = struct.pack("=H", 10) + struct.pack("!HI16s", 443, 5, bytes(15) + b"\1") + struct.pack("=I", 3)
path = struct.pack("=H", 1) + b"/run/nothing.sock"
abstract = struct.pack("=H", 1) + b'\0x\0y"\n\0011\1z'
def calls():
    call(95, 0o22)
    address(inet, 16, 64, 15, 4, 3, 2, 1, 0)
    address(inet6, 28, 27, 24, 23, 16)
    address(path, len(path), 8, 3, 2, 110)
    address(struct.pack("=H", 1) + bytes(range(200, 208)) + b"q" * 100, 110, 111)
    address(abstract, 9, len(abstract))
    address(struct.pack("=HHiI", 16, 0, 7, 1)), address(struct.pack("=HHiI", 16, 5, -1, 0))
    address(struct.pack("=HHIIi", 40, 0, 1024, 0xffffffff, 0))
    address(struct.pack("=H14s", 77, b"abcdefghijklm"), 16)
    address(struct.pack("=H14s", 0, b""), 16), address(struct.pack("=H14s", 5, b"\1\2\xff7"), 16)
    call(49, -1, at(inet), 16)                             # bind
    call(44, -1, 0, 0, 0x40, at(inet), 16)                 # sendto
    call(42, -1, 0, 16), call(42, -1, 8, 16)
    call(42, -1, at_edge(inet), 16), call(42, -1, at_edge(inet6), 28), call(42, -1, at_edge(inet[:8]), 16)
    call(42, -1, at_edge(path + b"\0"), 110)
    call(35, at(struct.pack("=qq", -1, -1)), 0)            # nanosleep
    call(230, 1, 1, at(struct.pack("=qq", 0, 5000)), 0)    # clock_nanosleep
    call(227, 1, at(struct.pack("=qq", 5, 6)))            # clock_settime
    call(223, -1, 0, at(struct.pack("=qqqq", -1, -1, 5, 9999999999)), 0)    # timer_settime
    call(286, -1, 0, at(struct.pack("=qqqq", 1, 2, 0, 0)), 0)               # timerfd_settime
    call(38, 2, at(struct.pack("=qqqq", 0, 0, 0, -7)), 0)                   # setitimer
    for times in ((5, 0, 1700000000, 5), (0, 0, 0, 0x3ffffffe), (-5, 100, 3, 0x3fffffff), (1, 2000000000, 0, 1)):
        call(280, -1, at(b"x\0"), at(struct.pack("=qqqq", *times)), 0)      # utimensat
    for times in ((1, 2, 3, 4), (0, 0, 1, 1000000), (-1, 0, 0, 5)):
        call(235, at(b"/nonexistent\0"), at(struct.pack("=qqqq", *times)))  # utimes
    call(132, at(b"/nonexistent\0"), at(struct.pack("=qq", 1, 0)))          # utime
    for limits in ((0, 4096), (8192, 10000), (-2, -1), (1024, 1 << 20)):
        call(302, -1, 7, at(struct.pack("=qq", *limits)), 0)                # prlimit64
    for mask in (0, 1 << 9 | 1 << 16, -1, 0x3ffffffffff, 0x3fffffffff, 3 << 31 | 1 << 62):
        call(14, 0, at(struct.pack("=q", mask)), 0, 8)                      # rt_sigprocmask
    call(14, 0, at(bytes(16)), 0, 4)
    call(289, -1, at(struct.pack("=q", 5)), 8, 0)                           # signalfd4
    for action in ((0, 0, 0, 0), (1, 0x4000000, 0, 3), (0x1234, 0xffffffff, 5, -1), (-1, 0x14000004, 0x1000, 1 << 40)):
        call(13, 99, at(struct.pack("=qQqq", *action)), 0, 8)               # rt_sigaction
    call(131, at(struct.pack("=qi4xq", 16, 9, 100)), 0)                     # sigaltstack
    for operation in (1, 2, 3):
        call(233, -1, operation, 3, at(struct.pack("=IQ", 0x80002001, 0x1234567890)))    # epoll_ctl
    call(233, -1, 1, 3, 8)
    call(7, at(struct.pack("=ihhihh", 0, 1, 0, -1, 1, 0)), 2, 0)            # poll
    call(7, at(struct.pack("=ihh", 99, -1, 0)), 1, 0), call(7, at(bytes(8)), 0, 0), call(7, 8, 1, 0)
    call(7, at_edge(struct.pack("=ihh", -3, 3, 0)), 1, 0)
    call(19, -1, at(struct.pack("=qqqq", 0x1000, 3, 0, -1)), 2)             # readv
    call(19, -1, at(bytes(16)), 0), call(19, -1, 8, 1)
    call(23, 4, at(struct.pack("=Q", 8) + bytes(120)), 0, 0, at(struct.pack("=qq", 0, 5)))   # select
    call(23, 0, 0, 0, 0, at(struct.pack("=qq", -1, -5))), call(23, 0, 0, 0, 0, 8)
    for command in (5, 6, 7, 37, 38):
        call(72, -1, command, at(struct.pack("=hhiqqi4x", 1, 2, 0, -1, 10, 9)))              # fcntl
    call(72, -1, 6, at(struct.pack("=hhiqqi4x", 5, 7, 0, 0, 0, 0)))
    for level, name, data, length in ((1, 2, struct.pack("=i", -5), 4), (1, 2, bytes(4), 3), (1, 13, struct.pack("=ii", 1, 5), 8),
                                      (1, 25, b"lo", 2), (6, 13, b"cubic", 5), (6, 1, struct.pack("=i", 1), 4), (1, 13, bytes(8), 4)):
        call(54, -1, level, name, at(data), length)                         # setsockopt
    call(54, -1, 1, 2, 0, 4), call(54, -1, 1, 2, 8, 4)
    call(144, -1, 1, at(struct.pack("=i", -3)))                             # sched_setscheduler
    for cpus, length in ((struct.pack("=QQQ", 5, 0, 1), 24), (struct.pack("=Q", 1 << 63), 8), (bytes(8), 8), (struct.pack("=Q", 5), 0)):
        call(203, -1, length, at(cpus))                                     # sched_setaffinity
    call(202, at(bytes(4)), 0x80, 1, at(struct.pack("=qq", 0, 1000)), 0, 0)  # futex
    call(95, 0o22)
for _ in range(2):
    calls()
"""

if not shutil.which("strace"):
    print("no strace")
    sys.exit(77)
PRINTS = 'printf("%s(%s) = %s\\n", name, argstr, {})'
with tempfile.TemporaryDirectory() as directory:
    program, traced = os.path.join(directory, "program.py"), os.path.join(directory, "strace")
    with open(program, "w") as file:
        file.write(PROGRAM)
    if subprocess.run(["strace", "-s", "200", "-o", traced, sys.executable, program], capture_output=True).returncode != 0:
        print("strace cannot trace here")
        sys.exit(77)
    wanted = open(traced).read().splitlines()
    runs = [subprocess.run([os.environ["STAP"], "-e", f"probe syscall.*{point} {{ if (pid() == target()) {PRINTS.format(result)} }}",
                            "-c", f"{sys.executable} {program}"], capture_output=True, text=True) for point, result in (("", '""'), (".return", "retstr"))]


def between(lines):
    """The calls of the second round, without their results and what may be elsewhere in memory."""
    marks = [i for i, line in enumerate(lines) if line.startswith("umask(022)")]
    if len(marks) < 4:
        return []
    calls = [re.sub(r"\) += .*", ")", line) for line in lines[marks[-2] + 1:marks[-1]]]
    return [re.sub(r"0x[0-9a-f]{7,12}\b", "ADDRESS", one) for one in calls if not re.match(r"brk|mmap|munmap|futex\(0x7f", one)]


expected = between(wanted)
bad = [] if len(expected) > 100 else [f"strace shows {len(expected)} calls"]
for run, place in zip(runs, ("entry", "return")):
    seen = between(run.stdout.splitlines())
    if len(seen) != len(expected):
        bad.append(f"{place}: {len(seen)} calls of {len(expected)}")
    for a, b in zip(expected, seen):
        # What the kernel writes to is not at its return what the call was given: the address stands there.
        if place == "return" and a.startswith("select("):
            a = re.sub(r"\{.*\}|\[.*?\]", "ADDRESS", a)
        if a != b:
            bad.append(f"{place}, strace: {a}\n  stap: {b}")
for one in bad:
    print(one)
if bad:
    print(*(run.stderr for run in runs))
sys.exit(1 if bad else 0)
