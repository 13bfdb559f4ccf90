"""What tests of -x oformat= share: runs of a known workload, and readers of the formats."""
import os
import shutil
import struct
import subprocess

from disturbed import again
from soundness import DTRACE, workload

CALLS = 500


def run(*words, status=0, calls=CALLS, program="getppid"):
    """Runs until nothing was dropped."""
    while True:
        done = subprocess.run([DTRACE, *words, "-c", f"{workload(program)} {calls}"], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=200)
        if b"drops on CPU" not in done.stderr and b"drop on CPU" not in done.stderr:
            break
        again(done.stderr.decode())
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def replay(file, *words, status=0):
    done = subprocess.run([DTRACE, "-r", file, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=200)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def reader(name):
    """Whether a program is there that reads a format; else this part of the test is passed over, which is printed."""
    if shutil.which(name):
        return True
    print(f"not read by {name}: it is not installed")
    return False


def fields(data):
    """The fields of a protocol buffer: (tag, number or bytes)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            yield key >> 3, struct.unpack_from("<Q", data, at)[0]
            at += 8
        else:
            assert key & 7 == 2, (key, at)
            length = varint()
            yield key >> 3, data[at:at + length]
            assert at + length <= len(data)
            at += length


def all_of(data, tag):
    return [value for found, value in fields(data) if found == tag]


def one(data, tag, otherwise=0):
    found = all_of(data, tag)
    return found[-1] if found else otherwise
