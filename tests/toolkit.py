"""Runs a script of tools/ and, beside it, the command of bcc that does the same (Debian's package libbpf-tools),
on one workload. A script is live when it has printed its first line; a command of bcc that prints events, when it
shows one that was made for it to see, as its heading comes before it reads its buffers.
"""
import atexit
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ["DTRACE"]
TOOLS = pathlib.Path(os.environ["TESTS"]).parent / "tools"
SKIP = 77
# Commands of bcc look for tracefs where it belongs: they have a mount of their own when there is none.
IN_TRACEFS = '[ -e /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing; exec stdbuf -oL "$@"'


def same(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, wanted {want}")


def links_of(directory):
    """What the symbolic links of a directory point to, in one text."""
    found = []
    try:
        for name in os.listdir(directory):
            found.append(os.readlink(f"{directory}/{name}"))
    except OSError:
        pass  # one has gone; whoever waits asks again
    return " ".join(found)


# From Linux 7 on, a thread can be preempted in a program of a function of the kernel. Until it goes on, firings
# of other threads on its CPU are suppressed, and counted as drops.
DROPS = r"(?m)^dtrace: (\d+) drops? on CPU \d+\n"
# Stacks of a program whose tables have not been read yet; the samples are counted.
EARLY = r"(?m)^dtrace: \d+ user stacks? (?:is|are) cut short: code had just been loaded, and its unwind table was not read yet\n"
# Programs of Java and Node that run beside the tests.
COMPILED = r"(?m)^dtrace: (?:methods that Java|functions that Node) has compiled have no names.*\n"
# A service that has not started yet is one to wait for.
NOT_YET = r"(?m)^\w+: there is no unit \S+, and no control group of this name yet\n"
IS_PREEMPTED = int(os.uname().release.split(".")[0]) >= 7


class Running:
    """A command that traces; its output goes to a file, which is read while it runs."""

    def __init__(self, argv):
        self.file = tempfile.NamedTemporaryFile("w+")
        self.errors = tempfile.NamedTemporaryFile("w+")
        self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=self.file, stderr=self.errors)

    def text(self):
        return pathlib.Path(self.file.name).read_text(errors="replace")

    def said(self):
        return pathlib.Path(self.errors.name).read_text(errors="replace")

    def shows(self, pattern, limit, meanwhile=lambda: None):
        """Whether the output matches in time; `meanwhile` is done again and again."""
        end = time.monotonic() + limit
        while not re.search(pattern, self.text(), re.M):
            if self.process.poll() is not None or time.monotonic() > end:
                return False
            meanwhile()
            time.sleep(0.05)
        return True

    def has_attached(self, limit):
        """Whether it holds the link of a program in time."""
        end = time.monotonic() + limit
        while self.process.poll() is None and time.monotonic() < end:
            if "bpf_link" in links_of(f"/proc/{self.process.pid}/fd"):
                return True
            time.sleep(0.05)
        return False

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            sys.exit(f"no end of {self.process.args}")


class Both:
    """`with Both("opensnoop", ...) as both:` traces the block; then both.ours and both.theirs are what they printed,
    and theirs is None, with the reason in both.why, where bcc's cannot be run. It is live when it shows a line that matches
    `live`, with `meanwhile` done again and again; without such a line, when it has attached its one program.
    What our script dropped, where the kernel may suppress firings, is both.dropped; it is 0 elsewhere, as drops
    are an error there."""

    def __init__(self, name, ours=(), theirs=(), live=r"\n", meanwhile=lambda: None):
        self.name, self.live, self.meanwhile = name, live, meanwhile
        self.dropped = 0
        self.script = Running([DTRACE, "-s", str(TOOLS / f"{name}.d"), *map(str, ours)])
        self.peer, self.ours, self.theirs, self.why = None, None, None, ""
        self.peer_arguments = [str(one) for one in theirs]

    def __enter__(self):
        if not self.script.shows(r"\n", 60):
            self.script.stop()
            said = self.script.said().strip()
            if re.search("does not let its functions be traced|sdt:capability|mm_filemap_get_pages", said):
                print(said.splitlines()[0])
                sys.exit(SKIP)
            sys.exit(f"{self.name}.d did not start: {said}")
        self._start_peer()
        return self

    def _start_peer(self):
        # By its place: /usr/local may have a command of this name, too.
        command = f"/usr/sbin/{self.name}"
        if not os.path.exists(command):
            self.why = f"there is no {command} (libbpf-tools)"
        elif not shutil.which("unshare") or not shutil.which("stdbuf"):
            self.why = "there is no unshare or no stdbuf"
        else:
            self.peer = Running(["unshare", "-m", "sh", "-c", IN_TRACEFS, "sh", command, *self.peer_arguments])
            if not (self.peer.shows(self.live, 60, self.meanwhile) if self.live else self.peer.has_attached(60)):
                self.peer.stop()
                self.why = f"{self.name} of libbpf-tools does not run here: " + \
                    (self.peer.said().strip().splitlines() or ["it shows nothing"])[0]
                self.peer = None

    def wait(self, ours, theirs):
        """Until both have shown the last event."""
        if not self.script.shows(ours, 30):
            sys.exit(f"{self.name}.d never showed {ours}:\n{self.script.text()}\n{self.script.said()}")
        if self.peer and not self.peer.shows(theirs, 30):
            sys.exit(f"bcc's {self.name} never showed {theirs}:\n{self.peer.text()}\n{self.peer.said()}")

    def __exit__(self, kind, value, trace):
        status = self.script.stop()
        if self.peer:
            self.peer.stop()
            self.theirs = self.peer.text()
        self.ours = self.script.text()
        said = re.sub("|".join((NOT_YET, EARLY, COMPILED)).replace("(?m)", ""), "", self.script.said(), flags=re.M)
        if IS_PREEMPTED:
            self.dropped = sum(map(int, re.findall(DROPS, said)))
            said = re.sub(DROPS, "", said)
        if kind is None and (status != 0 or said):
            sys.exit(f"{self.name}.d: exit status {status}: {said}")

    def counts(self, what, have, want):
        """Whether each number is what it must be, but for what was dropped: firings of others can be among these."""
        for name in want:
            if not want[name] - self.dropped <= have[name] <= want[name]:
                sys.exit(f"{what}: {have[name]} {name}, wanted {want[name]} but for {self.dropped} drops")

    def is_compared(self):
        """At the end: the test is skipped where only the values could be looked at."""
        if self.theirs is None:
            print(f"its values are right; not compared with bcc: {self.why}")
            sys.exit(SKIP)


class Alone(Both):
    """Our script without a command of bcc beside it: `with Alone("opensnoop", "-x") as one:`, then one.ours."""

    def __init__(self, name, *options):
        super().__init__(name, ours=options)

    def _start_peer(self):
        self.why = "it has not been asked for"

    def shows(self, pattern):
        self.wait(pattern, pattern)

    def ends(self):
        """Waits until a script with -c has ended by itself: a signal meanwhile could end it otherwise."""
        self.script.process.wait(60)


def another():
    """The number of a process that exists and does nothing: stopped, and gone when the test has ended."""
    process = subprocess.Popen(["sleep", "1000"])
    atexit.register(process.wait)
    atexit.register(process.kill)
    process.send_signal(signal.SIGSTOP)
    while open(f"/proc/{process.pid}/stat").read().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.001)
    return process.pid


def until_asleep(process):
    """Returns when the process waits for something."""
    while open(f"/proc/{process}/stat").read().rpartition(")")[2].split()[0] != "S":
        time.sleep(0.001)


def rows(text):
    """The lines below the heading."""
    return [line for line in text.splitlines()[1:] if line]


class MemoryLimit:
    """A cgroup whose processes may use so many bytes; a program joins it with the command `join`, a text of sh."""

    def __init__(self, size):
        self.size = size

    def __enter__(self):
        for top, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            self.path = f"{top}/dt-{os.getpid()}"
            try:
                os.mkdir(self.path)
                pathlib.Path(self.path, limit).write_text(str(self.size))
                self.join = f"echo $$ > {self.path}/cgroup.procs"
                return self
            except OSError:
                if os.path.isdir(self.path):
                    os.rmdir(self.path)
        print("no cgroup here limits memory")
        sys.exit(SKIP)

    def __exit__(self, *_):
        end = time.monotonic() + 20
        while os.path.isdir(self.path) and time.monotonic() < end:
            try:
                os.rmdir(self.path)
            except OSError:
                time.sleep(0.05)  # its last process is about to end


class LoopDisk:
    """A loop device of one MiB: its name and path."""

    def __enter__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.file.truncate(1 << 20)
        made = subprocess.run(["losetup", "-f", "--show", self.file.name], capture_output=True, text=True)
        if made.returncode != 0:
            print(f"no loop device here: {made.stderr.strip()}")
            sys.exit(SKIP)
        self.path = made.stdout.strip()
        self.name = os.path.basename(self.path)
        return self

    def __exit__(self, *_):
        subprocess.run(["losetup", "-d", self.path], check=False)


def counted(text, name=""):
    """The sum of a histogram's counts, of dtrace or of bcc; `name` is in the line above it."""
    part = text[text.index(name):] if name in text else ""
    ours = re.search(r"-- count.*?\n((?: +-?\d+ \|.*\n)*)", part)
    theirs = re.search(r": count .*\n((?: +\d+ -> .*\n)*)", part)
    first = min((found for found in (ours, theirs) if found), key=lambda found: found.start(), default=None)
    if first is None:
        return 0
    if first is ours:
        return sum(int(line.split()[-1]) for line in first[1].splitlines())
    return sum(int(line.split(":")[1].split("|")[0]) for line in first[1].splitlines())
