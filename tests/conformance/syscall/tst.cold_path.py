#!/usr/bin/env python3
"""A path in a page that nobody has accessed: the fault's hint leads to where it can be read, and it is read there."""
import ctypes
import mmap
import os
import subprocess
import sys

DTRACE = os.environ.get("DTRACE", "")
STRIDE = 1 << 20  # further than the kernel maps around what is accessed
PATHS = [b"/nonexistent/opened", b"/nonexistent/executed", b"/bin/true"]


def work(name):
    """Opens the first path, and executes the others: the last one exists."""
    with open(name, "wb") as file:
        for path in PATHS:
            file.write(path.ljust(STRIDE, b"\0"))
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    size = STRIDE * len(PATHS)
    file = os.open(name, os.O_RDONLY)
    pages = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, mmap.MAP_PRIVATE, file, ctypes.c_size_t(0))
    at = [ctypes.c_void_p(pages + STRIDE * i) for i in range(len(PATHS))]
    words = (ctypes.c_char_p * 3)(b"the", b"program", None)
    libc.openat(-100, at[0], os.O_RDONLY)
    libc.execve(at[1], words, words)
    libc.execve(at[2], words, words)
    os._exit(99)


def trace(script):
    done = subprocess.run([DTRACE, "-q", "-n", script, "-c", f"{sys.executable} {os.path.abspath(__file__)} {NAME}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"dtrace ended with {done.returncode}: {done.stderr}")
    return done.stdout.strip(), done.stderr


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def hints(err):
    return [line for line in err.splitlines() if line.startswith("dtrace: hint: ")]


if sys.argv[1:]:
    work(sys.argv[1])
NAME = os.path.join(os.environ.get("WORK", "/tmp"), f"cold_path.{os.getpid()}")
NOT_YET = "dtrace: hint: if arg{} is an address, its page has not been accessed yet: "
try:
    # Where the page is brought in, the string is read.
    out, err = trace("syscall::openat:entry /pid == $target && arg2 == 0/ { self->path = arg1; }"
                     + "syscall::openat:return /self->path && errno == ENOENT/ { printf(\"%s\\n\", copyinstr(self->path)); }"
                     + "syscall::openat:return { self->path = 0; }")
    check(PATHS[0].decode() in out.split(), out, err)
    # Where it is not yet, the hint names the place.
    out, err = trace("syscall::openat:entry /pid == $target && arg2 == 0/ { printf(\"%s\\n\", copyinstr(arg1)); }")
    check(PATHS[0].decode() not in out.split(), out)
    check(hints(err) == [NOT_YET.format(1) + "keep arg1 in a self-> variable, and read there at syscall::openat:return, "
                         "when the kernel has read it"], err)
    # The memory of a program that has executed another is gone at the return.
    out, err = trace("syscall::execve:entry /pid == $target/ { printf(\"%s\\n\", copyinstr(arg0)); }")
    check(out == "", out)
    check(hints(err) == [NOT_YET.format(0) + "keep arg0 in a self-> variable, and read there at syscall::execve:return if "
                         "the call has failed (errno); at proc:::exec-success, curpsinfo->pr_psargs is of the program "
                         "that has started"], err)
    out, err = trace("proc:::exec /pid == $target/ { printf(\"%s\\n\", args[0]); }")
    check(out == "" and len(hints(err)) == 1 and hints(err)[0].startswith(NOT_YET.format(0)), out, err)
    check("proc:::exec-failure" in hints(err)[0], err)
    # As the hints say.
    out, err = trace("proc:::exec /pid == $target/ { self->path = arg0; }"
                     "proc:::exec-failure /self->path/ { printf(\"%s\\n\", copyinstr(self->path)); self->path = 0; }"
                     "proc:::exec-success /pid == $target/ { printf(\"%s\\n\", curpsinfo->pr_psargs); }")
    check(out.split("\n") == [PATHS[1].decode(), "the program"] and err == "", out, err)
    out, err = trace("syscall::execve:entry /pid == $target/ { self->path = arg0; }"
                     "syscall::execve:return /self->path && errno/ { printf(\"%s\\n\", copyinstr(self->path)); }")
    check(out == PATHS[1].decode() and err == "", out, err)
finally:
    os.path.exists(NAME) and os.unlink(NAME)
