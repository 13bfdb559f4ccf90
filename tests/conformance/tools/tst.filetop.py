# Files that this process reads and writes: tools/filetop.d.
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with tempfile.TemporaryDirectory() as work:
    with toolkit.Alone("filetop", "-p", os.getpid(), "600") as one, toolkit.Alone("filetop", "-a", "-p", os.getpid(), "600") as every, \
            toolkit.Alone("filetop", "-s", "wbytes", "-p", os.getpid(), "600") as written, \
            toolkit.Alone("filetop", "-s", "reads", "-r", "1", "-p", os.getpid(), "600") as most_reads, \
            toolkit.Alone("filetop", "-p", toolkit.another(), "600") as of_another:
        read, write = os.pipe()
        first = os.open(f"{work}/first\n1 forged", os.O_CREAT | os.O_RDWR)
        second = os.open(f"{work}/second", os.O_CREAT | os.O_RDWR)
        for _ in range(20):
            os.write(first, b"x" * 4096)
        for at in range(10):
            os.pread(first, 2048, at * 2048)
        os.writev(second, [b"x" * 1024, b"y" * 2048])
        os.lseek(second, 0, os.SEEK_SET)
        os.read(second, 4096)
        os.read(second, 4096)  # nothing is left
        for _ in range(5):
            os.write(write, b"z" * 1024)
        third = os.open(f"{work}/third", os.O_CREAT | os.O_RDWR)
        os.write(third, b"x" * 200 * 1024)
        os.lseek(third, 0, os.SEEK_SET)
        for _ in range(25):
            os.read(third, 10)


def rows(text):
    found = re.findall(rf"^{os.getpid()} +\S+ +(\d+) +(\d+) +(\d+) +(\d+) (.*)$", text, re.M)
    return [tuple(map(int, row[:4])) + (row[4],) for row in found]


truth = [(20, 80, 10, 20, f"{work}/first" + "\\n1 forged"), (3, 3, 2, 1, f"{work}/second"), (0, 200, 25, 1, f"{work}/third")]
mine = [row for row in rows(one.ours) if row[4].startswith(work)]
toolkit.same("files", mine, truth)
toolkit.same("pipes", [row for row in rows(one.ours) if "pipe:" in row[4]], [])
toolkit.same("pipes with -a", [row[:4] for row in rows(every.ours) if row[4].startswith("pipe:") and row[3]], [(0, 5, 0, 5)])
toolkit.same("of another", rows(of_another.ours), [])
toolkit.same("by what is written", [row[1] for row in rows(written.ours) if row[4].startswith(work)], [200, 80, 3])
toolkit.same("the one that is read most often", [row[4] for row in rows(most_reads.ours)], [f"{work}/third"])
done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / "filetop.d"), "-s", "no"], capture_output=True, text=True, timeout=50)
toolkit.same("no such order", (done.returncode, done.stdout.strip()), (2, "-s: there is no no; there are rbytes, wbytes, reads and writes"))
