# @@timeout: 120
# A process that does known numbers of operations on files: tools/vfsstat.d, and bcc's, which counts those of all.
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

READS, WRITES, FSYNCS, OPENS, CREATES = 3000, 2000, 400, 500, 300
PROGRAM = f"""
import os, sys
os.chdir(sys.argv[1])
f = os.open("file", os.O_CREAT | os.O_RDWR)
os.write(1, b"r")
os.read(0, 1) or os._exit(0)
for _ in range({WRITES}): os.write(f, b"x")
for _ in range({READS}): os.pread(f, 10, 0)
for _ in range({FSYNCS}): os.fsync(f)
for _ in range({OPENS}): os.close(os.open("file", os.O_RDONLY))
for i in range({CREATES}): os.mknod(f"made-{{i}}")
os.write(1, b"d")
os.read(0, 1) or os._exit(0)
"""


def sums(text):
    rows = re.findall(r"^(?:\d\d:\d\d:\d\d: +|) *(\d+) +(\d+) +(\d+) +(\d+) +(\d+)\s*$", text, re.M)
    return [sum(int(row[i]) for row in rows) for i in range(5)]


with tempfile.TemporaryDirectory() as work:
    process = subprocess.Popen([sys.executable, "-S", "-c", PROGRAM, work], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.read(1)
    with toolkit.Both("vfsstat", ours=["-p", process.pid], theirs=["1"], live="TIME") as both:
        process.stdin.write(b"x")
        process.stdin.flush()
        process.stdout.read(1)
        # A second of bcc's ends with its line.
        if both.peer:
            lines = both.peer.text().count("\n")
            both.peer.shows(r"(?s)(\n.*){%d}" % (lines + 2), 30)
    process.communicate(timeout=60)

# It says that it is ready before tracing begins; its last word, and its waiting for the next, are traced.
truth = dict(reads=READS + 1, writes=WRITES + 1, fsyncs=FSYNCS, opens=OPENS, creates=CREATES)
both.counts("operations", dict(zip(truth, sums(both.ours))), truth)
both.is_compared()
# Others read and write, too. bcc probes vfs_fsync(), which compilers make part of fsync(): it may see none.
theirs = sums(both.theirs)
for (name, one), other in zip(truth.items(), theirs):
    toolkit.same(f"bcc's {other} {name} of {one}", one <= other or (name == "fsyncs" and other == 0), True)
