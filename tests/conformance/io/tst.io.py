# Requests to a loop device whose number, size and place are known; a partition of it; a full
# file system below it; the files of a file system on it.
import ctypes
import fcntl
import os
import re
import stat
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402

DTRACE = os.environ["DTRACE"]
SKIP = 77

# A clause for each path: all in one are too much for the verifier of Linux 6.1. Each prints a
# line of its own, as what fires at the same time on another CPU comes between them; the time
# of the firing tells which belong together.
WHICH = 'io:::start, io:::done /args[1]->dev_statname == $$1/'
SCRIPT = r"""
BEGIN { printf("ready\n"); }
""" + "\n".join(WHICH + ' { printf("%d.%d ' + what + "); }" for what in (
    r'''%s flags %x bytes %d block %d %d\n", timestamp, cpu, probename, args[0]->b_flags,
    args[0]->b_bcount, args[0]->b_blkno, args[0]->b_lblkno''',
    r'''resid %d size %d error %d\n", timestamp, cpu, args[0]->b_resid, args[0]->b_bufsize, args[0]->b_error''',
    r'''dev %d,%d = %d,%d path %s instance %d\n", timestamp, cpu, args[1]->dev_major, args[1]->dev_minor,
    getmajor(args[0]->b_edev), getminor(args[0]->b_edev), args[1]->dev_pathname, args[1]->dev_instance''',
    r'''file %s\n", timestamp, cpu, args[2]->fi_pathname''',
    r'''dir %s\n", timestamp, cpu, args[2]->fi_dirname''',
    r'''name %s fs %s\n", timestamp, cpu, args[2]->fi_name, args[2]->fi_fs''',
    r'''mount %s offset %d\n", timestamp, cpu, args[2]->fi_mount, args[2]->fi_offset'''))
LINE = re.compile(r"^(\d+\.\d+) (.*)$", re.M)
FIRING = re.compile(r"(?P<probe>\w+) flags (?P<flags>\w+) bytes (?P<bytes>\d+) block (?P<block>\d+) (?P<lblock>\d+) "
                    r"resid (?P<resid>\d+) size (?P<size>\d+) error (?P<error>\d+) dev (?P<dev>\S+) = (?P<edev>\S+) "
                    r"path (?P<path>\S+) instance (?P<instance>\d+) file (?P<file>.*) dir (?P<dir>.*) "
                    r"name (?P<name>.*) fs (?P<fs>.*) mount (?P<mount>.*) offset (?P<offset>-?\d+)$")
B_BUSY, B_DONE, B_ERROR, B_PAGEIO, B_PHYS, B_READ, B_WRITE, B_ASYNC = (
    0x1, 0x2, 0x4, 0x10, 0x20, 0x40, 0x100, 0x400)


def sh(*words, ok=True):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if ok and done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done


class Trace:
    """What the probes say of one device while the block runs."""

    def __init__(self, device):
        self.device = os.path.basename(device)

    def __enter__(self):
        self.out = tempfile.NamedTemporaryFile("w+")
        self.process = subprocess.Popen([DTRACE, "-q", "-x", "switchrate=10ms", "-n", SCRIPT, self.device],
                                        stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while "ready" not in open(self.out.name).read():
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"dtrace did not start: {self.process.stderr.read()}")
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        _, said = self.process.communicate(timeout=60)
        text = open(self.out.name).read()
        print(text)
        if said or self.process.returncode != 0:
            sys.exit(f"dtrace: exit status {self.process.returncode}: {said}")
        firings = {}
        for line in LINE.finditer(text):
            firings.setdefault(line[1], []).append(line[2])
        matches = [FIRING.match(" ".join(lines)) for lines in firings.values()]
        if None in matches:
            sys.exit("what a firing says is not of the form that was asked for")
        self.events = [match.groupdict() for match in matches]
        for one in self.events:
            for name in ("bytes", "block", "lblock", "resid", "size", "error", "instance", "offset"):
                one[name] = int(one[name])
            one["flags"] = int(one["flags"], 16)

    def of(self, probe, wanted):
        """The events of one probe with all of these flags."""
        return [e for e in self.events if e["probe"] == probe and e["flags"] & wanted == wanted]


def same(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, wanted {want}")


def attach(file, *more):
    done = sh("losetup", "-f", "--show", *more, file, ok=False)
    if done.returncode != 0:
        print(f"no loop device here: {done.stderr.strip()}")
        sys.exit(SKIP)
    device = done.stdout.strip()
    made.append(("losetup", "-d", device))
    return device


def direct(device):
    """Direct I/O: each request is told by its size, place and direction."""
    with Trace(device) as t:
        sh("dd", "if=/dev/zero", f"of={device}", "bs=4096", "count=5", "seek=3", "oflag=direct", "conv=notrunc")
        sh("dd", f"if={device}", "of=/dev/null", "bs=8192", "count=3", "skip=2", "iflag=direct")
    number = os.stat(device).st_rdev
    dev = f"{os.major(number)},{os.minor(number)}"
    for probe, state in (("start", B_BUSY), ("done", B_DONE)):
        writes, reads = t.of(probe, B_WRITE | B_PHYS | state), t.of(probe, B_READ | B_PHYS | state)
        same(f"{probe} writes", [(e["block"], e["bytes"]) for e in writes], [(24 + 8 * i, 4096) for i in range(5)])
        same(f"{probe} reads", [(e["block"], e["bytes"]) for e in reads], [(32 + 16 * i, 8192) for i in range(3)])
        for e in writes + reads:
            same("the rest", (e["lblock"], e["size"], e["resid"], e["error"], e["dev"], e["edev"], e["path"]),
                 (e["block"], e["bytes"], 0, 0, dev, dev, device))
            same("instance", f"loop{e['instance']}", os.path.basename(device))
            same("the file", (e["file"], e["dir"], e["name"], e["fs"], e["mount"], e["offset"]),
                 ("<unknown>",) * 5 + (0,))
            same("flags of direct I/O", e["flags"] & (B_ERROR | B_PAGEIO | B_ASYNC), 0)


def waits(device):
    """A thread that waits for what it reads: as often as it begins, it ends to wait, for what is not known."""
    script = r"""
        io:::wait-start /pid == $target/ { self->since = timestamp; @["start", args[2]->fi_pathname, execname] = count(); }
        io:::wait-done /self->since && pid == $target/
        { self->since = 0; @["done", args[1]->dev_statname, execname] = count(); }
        END { printa("%s %s %s %@d\n", @); }"""
    while True:
        done = sh(DTRACE, "-q", "-c", f"dd if={device} of=/dev/null bs=4096 count=50 iflag=direct", "-n", script)
        print(done.stdout)
        found = {name: int(count) for name, count in re.findall(r"^(\w+) <unknown> dd (\d+)$", done.stdout, re.M)}
        if found.keys() != {"start", "done"} or found["done"] > found["start"] or found["start"] > 200:
            sys.exit(f"waits of dd: {found}")
        if found["start"] == found["done"]:
            break
        # Some hosts hide threads of process 1 from tracing, and with them the switch from such a thread to dd.
        again(f"waits of dd: {found}")
    # The request is not known.
    done = sh(DTRACE, "-q", "-c", f"dd if={device} of=/dev/null bs=4096 count=50 iflag=direct", "-n",
              "io:::wait-start /pid == $target/ { trace(args[0]->b_bcount); exit(0); }")
    if "invalid address (0x" not in done.stderr:
        sys.exit(f"what dd waits for: {done.stdout}{done.stderr}")


def change_partition(device, operation):
    """The first partition: 2 MiB from the first MiB on. 1 adds it, 2 takes it away (<linux/blkpg.h>)."""
    request = ctypes.create_string_buffer(struct.pack("<qqi64s64s4x", 2048 * 512, 4096 * 512, 1, b"", b""))
    with open(device, "rb") as disk:
        fcntl.ioctl(disk, 0x1269, struct.pack("<iii4xQ", operation, 0, 152, ctypes.addressof(request)))


def partition(device):
    """Blocks are counted on the partition; the device has the disk's name."""
    change_partition(device, 1)
    name = os.path.basename(device)
    number = open(f"/sys/block/{name}/{name}p1/dev").read().strip()
    part = os.path.join(work, "partition")
    os.mknod(part, 0o600 | stat.S_IFBLK, os.makedev(*map(int, number.split(":"))))
    with Trace(device) as t:
        sh("dd", f"if={part}", "of=/dev/null", "bs=4096", "count=1", "skip=10", "iflag=direct")
    for probe in ("start", "done"):
        (e,) = t.of(probe, B_READ | B_PHYS)
        same("of the partition", (e["block"], e["path"], e["dev"]), (80, device + "p1", number.replace(":", ",")))
    change_partition(device, 2)


def full():
    """The file below is sparse, on a file system with no room left after the first write."""
    small = os.path.join(work, "small")
    os.mkdir(small)
    sh("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small)
    made.append(("umount", small))
    with open(os.path.join(small, "disk"), "w") as f:
        f.truncate(1 << 20)
    device = attach(os.path.join(small, "disk"))
    sh("dd", "if=/dev/zero", f"of={device}", "bs=64k", "count=1", "oflag=direct", "conv=notrunc")
    with Trace(device) as t:
        wrote = sh("dd", "if=/dev/zero", f"of={device}", "bs=128k", "count=1", "seek=4", "oflag=direct",
                   "conv=notrunc", ok=False)
    same("dd", wrote.returncode != 0, True)
    (e,) = t.of("done", B_WRITE | B_ERROR)
    same("a full device", (e["block"], e["bytes"], e["error"] in (5, 28)), (1024, 131072, True))


def files(device):
    """A file that is written through the page cache, and read back."""
    # Nothing is written later that belongs to the making of the file system.
    lazy = "lazy_itable_init=0,lazy_journal_init=0"
    if sh("mkfs.ext4", "-q", "-F", "-E", lazy, device, ok=False).returncode != 0:
        return print("no mkfs.ext4: files are not tested")
    place = os.path.join(work, "place")
    os.mkdir(place)
    if sh("mount", device, place, ok=False).returncode != 0:
        return print("ext4 cannot be mounted: files are not tested")
    made.append(("umount", place))
    block = os.statvfs(place).f_bsize
    os.mkdir(os.path.join(place, "some"))
    path = os.path.join(place, "some", "file")
    with Trace(device) as t:
        with open(path, "wb") as f:
            f.write(b"x" * 100_000)
            os.fsync(f.fileno())
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        with open(path, "rb") as f:
            f.seek(40960)
            f.read(1)
    for probe in ("start", "done"):
        of_file = [e for e in t.of(probe, B_PAGEIO) if e["name"] == "file"]
        for e in of_file:
            # The thread in which it ends may have another root than we: a guest's tests run below /host.
            root = "/host" if e["mount"].startswith("/host") else ""
            same("the file", (e["file"], e["dir"], e["name"], e["fs"], e["mount"]),
                 (root + path, root + os.path.dirname(path), "file", "ext4", root + place))
        writes = [e for e in of_file if e["flags"] & B_WRITE]
        same("bytes written", sum(e["bytes"] for e in writes), -(-100_000 // block) * block)
        at = 0
        for e in sorted(writes, key=lambda e: e["offset"]):
            same("offset", e["offset"], at)
            at += e["bytes"]
        reads = [e for e in of_file if e["flags"] & B_READ]
        same("the byte is read", any(e["offset"] <= 40960 < e["offset"] + e["bytes"] for e in reads), True)
    # Of the file: what the journal has under way when tracing begins and ends is half a pair.
    pairs = [sorted((e["block"], e["bytes"]) for e in t.of(probe, B_PAGEIO) if e["name"] == "file")
             for probe in ("start", "done")]
    same("pairs", *pairs)


def main():
    with open(os.path.join(work, "disk"), "wb") as f:
        f.truncate(64 << 20)
    device = attach(os.path.join(work, "disk"))
    direct(device)
    waits(device)
    partition(device)
    full()
    files(device)


work = tempfile.mkdtemp()
made = []
try:
    main()
finally:
    for release in reversed(made):
        sh(*release, ok=False)
    subprocess.run(["rm", "-rf", work], check=False)
