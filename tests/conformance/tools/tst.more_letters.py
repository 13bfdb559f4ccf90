# @@host
# @@timeout: 120
# Letters of bcc: what they add to a line, and which events they leave out.
import os
import re
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

me = os.getpid()

# Flags of a call; the directory of a relative path, whether the file is there or not.
with tempfile.TemporaryDirectory() as work, toolkit.Alone("opensnoop", "-F", "-p", me) as full, \
        toolkit.Alone("opensnoop", "-f", "O_WRONLY|O_EXCL", "-p", me) as chosen:
    os.chdir(work)
    directory = os.open("/var", os.O_RDONLY)
    os.close(os.open("made", os.O_CREAT | os.O_RDWR))
    os.close(os.open(f"{work}/made", os.O_WRONLY))
    try:
        os.open("no-such/file", os.O_RDONLY, dir_fd=directory)
    except FileNotFoundError:
        pass
    os.close(os.open(f"{work}/last", os.O_CREAT | os.O_EXCL | os.O_RDWR))
    full.shows(r"/last$")
    chosen.shows(r"/last$")
    os.chdir("/")
paths = [line.split()[-1] for line in toolkit.rows(full.ours)]
toolkit.same(f"opensnoop -F: {paths}", [path for path in paths if path in (f"{work}/made", "/var/no-such/file")],
             [f"{work}/made", f"{work}/made", "/var/no-such/file"])
chosen_paths = [line.split()[-1] for line in toolkit.rows(chosen.ours) if work in line]
toolkit.same("opensnoop -f", chosen_paths, [f"{work}/made", f"{work}/last"])


def refuses(words, *command):
    """What cannot be done is said, with the exit status of wrong usage."""
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{command[0]}.d"), *command[1:]], capture_output=True, text=True, timeout=60)
    toolkit.same(" ".join(command), (done.returncode, words in done.stdout), (2, True))


for flags in "O_NO", "O_CREAT|O_NO", "O_CREATO_EXCL", "O_CREATxO_RDWR":
    refuses(f"-f: not all are flags: {flags}; there are O_WRONLY O_RDWR ", "opensnoop", "-f", flags)


def connect(family, address):
    with socket.create_server((address, 0), family=family) as server, \
            socket.create_connection(server.getsockname()[:2]) as client:
        return server.getsockname()[1], client.getsockname()[1]


# Own ports; a connection that is refused is shown, too.
with toolkit.Alone("tcpconnect", "-L", "-p", me) as ports, toolkit.Alone("tcpconnect", "-c", "-p", me) as numbers:
    old, new = connect(socket.AF_INET, "127.0.0.1"), connect(socket.AF_INET6, "::1")
    try:
        socket.create_connection(("127.0.0.1", 1))
    except ConnectionRefusedError:
        pass
    ports.shows(r" 127\.0\.0\.1 +1 +0$")
toolkit.same(f"tcpconnect -L: {ports.ours}", [tuple(map(int, line.split()[-2:])) for line in toolkit.rows(ports.ours)], [old, new, (1, 0)])
toolkit.same("tcpconnect -c", sorted(int(line.split()[2]) for line in toolkit.rows(numbers.ours)), sorted([old[0], new[0], 1]))
refuses("-L: with -c", "tcpconnect", "-L", "-c")
for name in "syscost", "perfstat":
    refuses("-c COMMAND runs a command", name)

# Arguments of calls; a threshold in milliseconds.
with Naps(3, 0.03) as naps:
    with toolkit.Alone("funcslower", "-p", naps.pid, "-m", 20, "-a", 2, "syscall::clock_nanosleep") as slow, \
            toolkit.Alone("funcslower", "-p", naps.pid, "-m", 60000, "syscall::clock_nanosleep") as none:
        naps.take()
toolkit.same(f"funcslower -a: {slow.ours}", len(re.findall(r" clock_nanosleep (?:0x)?[0-9a-f]+ (?:0x)?[0-9a-f]+$", slow.ours, re.M)), 3)
toolkit.same("funcslower -m", toolkit.rows(none.ours), [])

# Each value has a heading.
with Naps(1, 0.03) as naps, toolkit.Alone("funcslower", "-p", naps.pid, "-u", 0, "-a", 6, "syscall::clock_nanosleep") as slow:
    naps.take()
toolkit.same(f"funcslower -a 6: {slow.ours}", len(slow.ours.splitlines()[0].split()) + 3, len(toolkit.rows(slow.ours)[0].split()))

# So many rows, those with the most.
with tempfile.TemporaryDirectory() as work:
    with toolkit.Alone("filetop", "-p", me, "-r", 1, "60s", 1) as top:
        for name, size in (("small", 10000), ("large", 900000), ("middle", 90000)):
            with open(f"{work}/{name}", "wb", buffering=0) as file:
                file.write(b"x" * size)
            with open(f"{work}/{name}", "rb", buffering=0) as file:
                file.read(size)
rows = [line.split() for line in top.ours.splitlines() if work in line]
toolkit.same(f"filetop -r: {top.ours}", [(row[2], row[3], row[4], row[5], os.path.basename(row[-1])) for row in rows],
             [("878", "878", "1", "1", "large")])

# A thread that waits had another one before it, on a CPU that is busy: two programs that share one.
cpu = min(os.sched_getaffinity(0))
BUSY = f"import os, time\nos.sched_setaffinity(0, [{cpu}])\nend = time.monotonic() + 60\nwhile time.monotonic() < end: pass"
busy = [subprocess.Popen([sys.executable, "-S", "-c", BUSY]) for _ in range(2)]
try:
    with toolkit.Alone("runqslower", "-P", "-p", busy[0].pid, 1) as waits, toolkit.Alone("runqlen", "-O", "-C", "-f", 20, "50ms", 21) as occupied:
        waits.shows(rf" {busy[0].pid} +{busy[0].pid} +\d+ \S+ +{busy[1].pid}\b")
        occupied.ends()
finally:
    for one in busy:
        one.kill()
        one.wait()
toolkit.same("runqslower -P", {row.split()[-1] for row in toolkit.rows(waits.ours)} & {str(busy[0].pid)}, set())
# In each report there is time for one sample: it is all of them. The host may take the CPU away meanwhile.
shares = sorted(map(float, re.findall(rf"^CPU {cpu}: a thread waits in (\d+\.\d\d) % of the time$", occupied.ours, re.M)))
toolkit.same(f"runqlen -O: {occupied.ours}", shares[len(shares) // 2:][:1], [100.0])

# Columns for long addresses; seconds since the start; the time of day, which is always there.
LONG = r" 127\.0\.0\.1 {31,} *\d+ 127"
with toolkit.Alone("tcplife", "-w", "-4") as life, toolkit.Alone("tcpstates", "-w", "-4") as states:
    port = connect(socket.AF_INET, "127.0.0.1")[0]
    life.shows(rf"\b{port}\b")
    states.shows(rf"\b{port}\b")
for one in life, states:
    both_ends = [row for row in toolkit.rows(one.ours) if row.count(" 127.") == 2]
    toolkit.same(f"-w: {one.ours}", (bool(both_ends), [row for row in both_ends if not re.search(LONG, row)]), (True, []))
    heading, row = one.ours.splitlines()[0], both_ends[0]
    toolkit.same(f"-w: {heading}", (heading.index("LADDR"), heading.index("RADDR")), tuple(found.start() for found in re.finditer(r"127\.", row)))
with toolkit.Alone("trace", "-t", "-T", "-p", me, "syscall::getpriority:entry") as traced, \
        toolkit.Alone("funcslower", "-T", "-u", 0, "-p", me, "syscall::getpriority") as slow:
    for _ in range(2):
        os.getpriority(os.PRIO_PROCESS, 0)
    traced.shows(r"(getpriority(.|\n)*){2}")
    slow.shows(r"(getpriority(.|\n)*){2}")
seconds = [float(row.split()[0]) for row in toolkit.rows(traced.ours)]
toolkit.same(f"trace -t: {traced.ours}", (len(seconds), seconds == sorted(seconds), 0 <= seconds[0] < 60), (2, True, True))
toolkit.same("trace -t", traced.ours.split()[:2], ["TIME(s)", "TIME"])
toolkit.same("funcslower -T", len(toolkit.rows(slow.ours)), 2)
