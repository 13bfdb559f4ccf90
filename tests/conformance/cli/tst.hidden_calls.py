#!/usr/bin/env python3
"""Where a container's policy refuses a system call, what needs it names the cause, and the rest works."""
import ctypes
import errno
import os
import struct
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
SKIP = 77
PTRACE, PERF_EVENT_OPEN, BPF = 101, 298, 321
LOAD, JUMP_IF, RETURN = 0x20, 0x15, 0x06
FAIL, ALLOW = 0x00050000, 0x7fff0000


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("words", ctypes.c_void_p)]


def forbid(call, error):
    """From now on the call fails in this process and what it starts."""
    words = [(LOAD, 0, 0, 0), (JUMP_IF, 0, 1, call), (RETURN, 0, 0, FAIL | error), (RETURN, 0, 0, ALLOW)]
    data = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *word) for word in words))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(Filter(len(words), ctypes.addressof(data)))) != 0:
        os._exit(SKIP)  # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP


def trace(call, error, *arguments):
    done = subprocess.run([DTRACE, *arguments], preexec_fn=lambda: forbid(call, error), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    if done.returncode == SKIP:
        print("seccomp is not there")
        sys.exit(SKIP)
    return done


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


POLICY = "(a container's seccomp filter"
for error in (errno.ENOSYS, errno.EPERM, errno.EACCES):
    done = trace(PERF_EVENT_OPEN, error, "-qn", "profile-97 { exit(3); }")
    check(done.returncode == 1 and "perf_event_open on CPU" in done.stderr, done)
    check(POLICY in done.stderr and "built without BPF" not in done.stderr, done)
    # What needs none of it.
    done = trace(PERF_EVENT_OPEN, error, "-qn", "syscall::getppid:entry { exit(4); } pid$target:libc::entry { @ = count(); }", "-c", "sh -c 'exit 0'")
    check(done.returncode in (0, 4) and done.stderr == "", done)
for probe in ("cpc:::page_faults-user-1", "vminfo:::maj_fault"):
    done = trace(PERF_EVENT_OPEN, errno.ENOSYS, "-qn", probe)
    check(done.returncode == 1 and "perf_event_open: Function not implemented" in done.stderr, done)
    check("built without perf events" in done.stderr and POLICY in done.stderr, done)
# A command cannot be started without ptrace(); the command itself is not to blame.
for error in (errno.EPERM, errno.ENOSYS):
    done = trace(PTRACE, error, "-qn", "BEGIN { exit(0); }", "-c", "true")
    check(done.returncode == 1 and "failed to execute true: ptrace(PTRACE_TRACEME): " in done.stderr, done)
    check(POLICY in done.stderr and "use -p" in done.stderr, done)
    done = trace(PTRACE, error, "-qn", "pid$target:libc::entry, syscall:::entry { exit(5); } tick-10ms { exit(5); }",
                 "-p", str(os.getpid()))
    check(done.returncode == 5 and done.stderr == "", done)
done = trace(BPF, errno.ENOSYS, "-qn", "BEGIN { exit(0); }")
check(done.returncode == 1 and "built without BPF" in done.stderr and POLICY in done.stderr, done)
