"""A recording that is cut at any byte, damaged in any byte, or whose content is damaged such that its sums agree: every
form of output gives what is whole and says what is not, or refuses it. DT_DAMAGED says how many of each."""
# @@timeout: 90
# @@host
import ctypes
import ctypes.util
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402

COUNT = int(os.environ.get("DT_DAMAGED", "40"))
FORMATS = ("text json jsonl csv none views html term folded svg speedscope pprof perfscript chrome perfetto ctf prometheus otlp "
           "graphite").split()
MAGIC = 8
HEADER = struct.Struct("<IIIIqqII")
SCRIPT = """int n; syscall::getppid:entry /pid == $target/ { self->t = timestamp; @stacks[execname, ustack(4), stack(4)] = count(); trace(n++); }
    syscall::getppid:return /self->t/ { @sizes[execname, "a\\n;\\"<b>"] = quantize(n); @mean[cpu] = avg(n); trace(timestamp - self->t);
        printf("%s %d", execname, arg1); ustack(2); self->t = 0; }
    syscall::getppid:return /pid == $target && n % 10 == 0/ { printf("%k %a %A %s", stack(), 1, 2, "\\001\\377"); tracemem(curthread, 8);
        @wide = llquantize(n, 10, 0, 3, 10); printa("%@d %d", @mean); stack(3); }
    tick-10ms { printa(@sizes); clear(@sizes); @kinds = lquantize(n, 0, 100, 7); trunc(@wide); }"""
bad = []


class Zstd:
    """Content of chunks, and chunks of content."""

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
        self.library.ZSTD_compress.restype = self.library.ZSTD_decompress.restype = ctypes.c_size_t

    def chunks(self, data):
        at, out = MAGIC, []
        while at < len(data):
            header = HEADER.unpack_from(data, at)
            stored = data[at + HEADER.size:at + HEADER.size + header[3]]
            raw = ctypes.create_string_buffer(header[2])
            size = self.library.ZSTD_decompress(raw, ctypes.c_size_t(header[2]), stored, ctypes.c_size_t(len(stored)))
            assert size == header[2], header
            out.append((header, raw.raw))
            at += HEADER.size + header[3]
        return out

    def pack(self, number, header, raw):
        room = 2 * len(raw) + 1000
        stored = ctypes.create_string_buffer(room)
        size = self.library.ZSTD_compress(stored, ctypes.c_size_t(room), bytes(raw), ctypes.c_size_t(len(raw)), 1)
        begin = HEADER.pack(header[0], header[1], len(raw), size, header[4], header[5], number, 0)[:-4]
        return begin + struct.pack("<I", zlib.crc32(begin)) + stored.raw[:size]


def damage(some, raw):
    at = some.randrange(len(raw))
    kind = some.randrange(4)
    if kind == 0:
        raw[at] ^= 1 << some.randrange(8)
    elif kind == 1:
        raw[at] = some.choice((0, 1, 127, 128, 255))
    elif kind == 2:
        del raw[at:at + some.randrange(1, 20)]
    else:
        other = some.randrange(len(raw))
        raw[at:at] = raw[other:other + some.randrange(1, 20)]


def replay(what, data, form):
    with tempfile.TemporaryDirectory(prefix="damaged-") as directory:
        file = os.path.join(directory, "x.dtr")
        with open(file, "wb") as out:
            out.write(data)
        words = ["-o", os.path.join(directory, "ctf")] if form == "ctf" else []
        try:
            done = subprocess.run([DTRACE, "-r", file, "-x", f"oformat={form}", *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=100)
            flaw = None if done.returncode == 0 or (done.returncode == 1 and done.stderr) else f"status {done.returncode}: {done.stderr[-500:]}"
        except subprocess.TimeoutExpired:
            done, flaw = None, "it does not end"
        if flaw:
            shutil.copy(file, os.path.join(os.environ["BUILD"], f"damaged-{len(bad)}.dtr"))
            bad.append(f"{what}, oformat={form}: {flaw}")
        return done


def records(done):
    return [line for line in done.stdout.decode().splitlines() if json.loads(line)["type"] == "record"]


def main():
    some, zstd = random.Random(1), Zstd()
    with tempfile.TemporaryDirectory(prefix="damaged-") as directory:
        file = os.path.join(directory, "x.dtr")
        done = subprocess.run([DTRACE, "-q", "-x", "oformat=none", "-x", f"record={file}", "-x", "aggrate=10ms", "-n", SCRIPT,
                               "-c", f"{workload('getppid')} 60"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        with open(file, "rb") as content:
            data = content.read()
    chunks = zstd.chunks(data)
    again = data[:MAGIC] + b"".join(zstd.pack(number, *one) for number, one in enumerate(chunks))
    whole = records(replay("whole", data, "jsonl"))
    if whole != records(replay("packed again", again, "jsonl")) or len(whole) < 60:
        bad.append("what is packed again is something else")

    for number in range(COUNT):
        at = some.randrange(len(data))
        done = replay(f"cut at {at}", data[:at], some.choice(FORMATS) if number % 2 else "jsonl")
        if done is None or number % 2:
            continue
        lines = records(done)
        if done.returncode != 1 or lines != whole[:len(lines)]:
            bad.append(f"cut at {at}: status {done.returncode}, {len(lines)} records")
    for number in range(COUNT):
        one = bytearray(data)
        for _ in range(some.choice((1, 1, 2, 8))):
            damage(some, one)
        replay(f"damaged {number}", bytes(one), some.choice(FORMATS))
    for number in range(COUNT):
        content = [(header, bytearray(raw)) for header, raw in chunks]
        if number % 5 == 0:
            some.shuffle(content)
        for _ in range(some.choice((1, 1, 2, 4, 16))):
            # The program comes first, and all else depends on it.
            damage(some, content[0][1] if some.random() < 0.5 else some.choice(content)[1])
        packed = b"".join(zstd.pack(i, header, raw) for i, (header, raw) in enumerate(content))
        replay(f"with sums that agree, {number}", data[:MAGIC] + packed, some.choice(FORMATS))


main()
if bad:
    sys.exit("\n".join(bad))
