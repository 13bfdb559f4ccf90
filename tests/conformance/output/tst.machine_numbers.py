# @@host
"""Load averages, memory and the size of the terminal in printf(), as the machine says them; a recording has its own."""
import csv
import fcntl
import io
import json
import os
import struct
import subprocess
import sys
import tempfile
import termios

sys.path.insert(0, os.environ["TESTS"])
from terminal import on_terminal  # noqa: E402

DTRACE = os.environ["DTRACE"]


def dtrace(*words, status=0):
    done = subprocess.run([DTRACE, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
    return done


def printed(*words):
    """What the script prints, without the line that -q ends with."""
    out = dtrace(*words).stdout
    assert out.endswith("\n"), out
    return out[:-1]


def loads():
    with open("/proc/loadavg") as file:
        return file.read().split()[:3]


def memory(name):
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name + ":"))


# The kernel computes them each five seconds: of some tries, one is not interrupted by that.
SCRIPT = r'BEGIN { printf("%d:%{load1}.2f %{load5}.2f %{load15}.2f:%d\n", 7, 8); exit(0); }'
tries = []
for _ in range(20):
    before, out, after = loads(), printed("-qn", SCRIPT), loads()
    tries.append((before, out))
    if before == after:
        assert out == f"7:{' '.join(before)}:8\n", (before, out)
        break
else:
    raise AssertionError(tries)

# One moment: /proc/loadavg is read once for all numbers of a record.
inner = r'BEGIN { printf("%{load1}.2f %{load5}.2f %{load15}.2f %{running}d %{threads}d"); exit(0); }'
reads = r'syscall::open*:entry /pid == $target && copyinstr(arg1) == "/proc/loadavg"/ { @ = count(); } END { printa("opened %@d times", @); }'
out = printed("-x", "strsize=64", "-qn", reads, "-c", f"'{DTRACE}' -qn '{inner}'")
assert "opened 1 times" in out, out

FACTS = r"""BEGIN { printf("%{memtotal}d %{swaptotal}d %{cpus}d %{memfree}d %{memavailable}d %{uptime}d ");
    printf("%{running}d %{threads}d %{lines}d %{columns}d %{memtotal,MiB}.1f\n"); exit(0); }"""
with open("/proc/uptime") as file:
    up = float(file.read().split()[0])
total, swap, cpus, free, available, uptime, running, threads, lines, columns, mib = dtrace("-qn", FACTS).stdout.split()
assert int(total) == memory("MemTotal"), total
assert int(swap) == memory("SwapTotal"), swap
assert int(cpus) == os.sysconf("SC_NPROCESSORS_ONLN"), cpus
assert 0 < int(free) < int(total) and 0 < int(available) < int(total), (free, available)
assert int(uptime) / 1e9 >= up, (uptime, up)
assert 0 < int(running) <= int(threads), (running, threads)
assert (lines, columns) == ("0", "0"), (lines, columns)
assert mib == f"{int(total) / 2**20:.1f}", mib

# Values of records, in every form.
line = next(json.loads(text) for text in dtrace("-x", "oformat=jsonl", "-qn", FACTS).stdout.splitlines() if "memtotal" in text)
values = {one["name"]: one["value"] for action in line["actions"] for one in action["values"]}
assert values["memtotal"] == int(total) and values["columns"] == 0, line
table = list(csv.reader(io.StringIO(dtrace("-x", "oformat=csv", "-qn", r'BEGIN { printf("\n\t%{cpus}d\n"); exit(0); }').stdout)))
assert table == [["cpus", "drops"], [cpus, "0"]], table

# A replay prints what was recorded. The uptime is never the same twice.
with tempfile.TemporaryDirectory() as place:
    name = f"{place}/run.dtr"
    again = r'BEGIN { printf("%{uptime}d %{memtotal}d %s\n", "x"); exit(0); }'
    first = dtrace("-x", f"record={name}", "-qn", again).stdout
    replayed = [dtrace("-q", "-r", name).stdout for _ in range(2)]
    assert replayed[0] == replayed[1], replayed
    at, bytes_, text = replayed[0].split()
    assert int(at) / 1e9 >= up and int(bytes_) == int(total) and text == "x", replayed
    assert first in ("", replayed[0]), first
    later = dtrace("-qn", r'BEGIN { printf("%{uptime}d\n"); exit(0); }').stdout
    assert int(later) > int(at), (later, at)

# With a speculation: as of its record.
out = dtrace("-qn", r'BEGIN { self->s = speculation(); speculate(self->s); printf("%{cpus}d\n"); } '
             r'BEGIN { commit(self->s); } BEGIN { exit(0); }').stdout
assert out == f"{cpus}\n\n", out

# A terminal: its size, and lines that end where it does.
WIDTH = r"""BEGIN { printf("%{lines}d %{columns}d\n"); printf("first\n%s%{fit}s\n", "ab", "0123456789012345678901234567890123456789");
    exit(0); }"""


def size(columns, rows):
    return lambda fd: fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


out, errors, status = on_terminal([DTRACE, "-qn", WIDTH], prepare=size(30, 24))
assert status == 0, errors
assert out.replace(b"\r\n", b"\n") == b"24 30\nfirst\nab0123456789012345678901234567\n\n", out
assert printed("-qn", WIDTH) == "0 0\nfirst\nab0123456789012345678901234567890123456789\n"

# What it cannot be.
for script, said in (
        (r'BEGIN { @ = count(); printa("%{load1}.2f %@d", @); }', "is for printf( ) only"),
        (r'BEGIN { printrow("LOAD %{load1}.2f", 1); }', "is for printf( ) only"),
        (r'BEGIN { printf("%{load2}f", 1); }', "has a modifier that it cannot have"),
        (r'BEGIN { printf("%{load1}s"); }', "hint: %{load1}.2f shows it"),
        (r'BEGIN { printf("%-{cpus}s"); }', "hint: %{cpus}d shows it"),
        (r'BEGIN { printf("%{load1}.2f", 1); }', "only 0 arguments required by this format string")):
    errors = dtrace("-qn", script, status=1).stderr
    assert said in errors, errors
