#!/usr/bin/env python3
# A program that reads through io_uring, one request at a time: its system calls, its requests and their ends are as
# many as it knows, and each end has the number that it gave the request and the bytes that were read.
import os
import subprocess
import sys

READER = r"""
import ctypes, mmap, os, struct, sys, tempfile
SETUP, ENTER, GETEVENTS, OP_READ, SQES = 425, 426, 1, 22, 0x10000000
requests, size = int(sys.argv[1]), int(sys.argv[2])
libc = ctypes.CDLL(None, use_errno=True)
parameters = ctypes.create_string_buffer(120)
fd = libc.syscall(SETUP, 8, parameters)
if fd < 0:
    sys.exit(77)
entries, completions = struct.unpack_from("II", parameters.raw, 0)
submission, completion = struct.unpack_from("8I", parameters.raw, 40), struct.unpack_from("8I", parameters.raw, 80)
tail_at, array_at = submission[1], submission[6]
ring = mmap.mmap(fd, max(array_at + entries * 4, completion[5] + completions * 16))
queue = mmap.mmap(fd, entries * 64, offset=SQES)
file = tempfile.TemporaryFile()
file.write(b"x" * 4096)
file.flush()
into = ctypes.create_string_buffer(size)
for number in range(requests):
    tail = struct.unpack_from("I", ring, tail_at)[0]
    slot = tail & (entries - 1)
    queue[slot * 64:slot * 64 + 64] = struct.pack(
        "<BBHiQQIIQ24x", OP_READ, 0, 0, file.fileno(), 0, ctypes.addressof(into), size, 0, 1000 + number)
    struct.pack_into("I", ring, array_at + slot * 4, slot)
    struct.pack_into("I", ring, tail_at, tail + 1)
    if libc.syscall(ENTER, fd, 1, 1, GETEVENTS, None, 0) != 1:
        sys.exit("io_uring_enter: " + os.strerror(ctypes.get_errno()))
"""
REQUESTS, SIZE = 7, 100
SCRIPT = """
syscall::io_uring_setup:entry, syscall::io_uring_enter:entry /pid == $target/ { @entries[probefunc] = count(); }
syscall::io_uring_enter:return /pid == $target/ { @submitted[probefunc] = sum(arg0); }
sdt:io_uring::io_uring_submit_req, sdt:io_uring::io_uring_complete /pid == $target/ { @events[probename] = count(); }
END { printa("entry %s %@d\\n", @entries); printa("submitted %s %@d\\n", @submitted); printa("event %s %@d\\n", @events); }
"""
# Where the event passes the completion itself, as newer kernels do.
VALUES = """
sdt:io_uring::io_uring_complete /pid == $target/ { printf("end %d %d\\n", args[2]->user_data, args[2]->res); }
"""
listed = subprocess.run([os.environ["DTRACE"], "-lvn", "sdt:io_uring::io_uring_complete"], capture_output=True, text=True)
has_values = "args[2]: struct io_uring_cqe *" in listed.stdout
done = subprocess.run([os.environ["DTRACE"], "-q", "-n", SCRIPT + VALUES * has_values, "-c",
                       f"{sys.executable} -c '{READER}' {REQUESTS} {SIZE}"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
if "event io_uring" not in done.stdout and "entry io_uring_setup 1" in done.stdout:
    print("this kernel does not let the program use io_uring")
    sys.exit(77)
wanted = {"entry io_uring_setup 1", f"entry io_uring_enter {REQUESTS}", f"submitted io_uring_enter {REQUESTS}",
          f"event io_uring_submit_req {REQUESTS}", f"event io_uring_complete {REQUESTS}"}
if has_values:
    wanted |= {f"end {1000 + number} {SIZE}" for number in range(REQUESTS)}
if done.returncode != 0 or done.stderr or set(done.stdout.split("\n")) - {""} != wanted:
    sys.exit(f"{done}")
