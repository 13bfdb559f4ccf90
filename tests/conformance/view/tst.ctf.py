"""A trace of CTF has every record and what was lost: babeltrace2 reads the events in their order, with their values, live as
replayed, and says how many events of which CPU were discarded."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from exports import CALLS, reader, replay, run  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

bad = []
directory = tempfile.TemporaryDirectory(prefix="ctf-")


def file(name):
    return os.path.join(directory.name, name)


def content(name):
    return {each: open(os.path.join(file(name), each), "rb").read() for each in os.listdir(file(name))}


SCRIPT = """syscall::getppid:entry /pid == $target/ { printf("%d %s", n++ - 3, "a\\nb\\"c"); }
    syscall::getppid:return /pid == $target && n % 100 == 0/ { ustack(3); trace((unsigned char)200); }"""
run("-q", "-x", "oformat=ctf", "-o", file("live"), "-x", f"record={file('r')}", "-n", "int n; " + SCRIPT)
replay(file("r"), "-x", "oformat=ctf", "-o", file("again"))
if content("live") != content("again"):
    bad.append("another trace is made of the recording")
records = [json.loads(line) for line in replay(file("r"), "-x", "oformat=jsonl").stdout.decode().splitlines()]
records = sorted((record for record in records if record["type"] == "record"), key=lambda record: record["time"])

if reader("babeltrace2"):
    def events(name, lost=False):
        done = subprocess.run(["babeltrace2", "--clock-cycles", "--names=all", file(name)], capture_output=True, text=True,
                              timeout=100)
        if done.returncode != 0:
            bad.append(f"babeltrace2: {done.stderr}")
        return done.stderr if lost else [line for line in done.stdout.splitlines() if line]

    lines = events("live")
    if len(lines) != CALLS + CALLS // 100 or len(lines) != len(records):
        bad.append(f"{len(lines)} events, and {len(records)} records")
    for line, record in zip(lines, records):
        probe = ":".join(record["probe"][part] for part in ("provider", "module", "function", "name"))
        values = [value for action in record["actions"] for value in action["values"]]
        for part in [f"timestamp = {record['time']:020}", f"name = {probe}", f"cpu_id = {record['cpu']}",
                     f"pid = {record['pid']}", f"tid = {record['tid']}"]:
            if part not in line:
                bad.append(f"{part} is not in {line}")
        if record["probe"]["name"] == "entry":
            if f"n_3 = {values[0]['value']}," not in line or r'a\\012b\"c' not in line:
                bad.append(f"other values: {line}")
        elif "ustack_length = 3" not in line or not re.search(r"= 200 }", line):
            bad.append(f"no stack: {line}")

    # A buffer that is full: what is there and what was discarded is all.
    done = subprocess.run([DTRACE, "-q", "-x", "oformat=ctf", "-o", file("full"), "-b", "4k", "-x", "switchrate=1s", "-n",
                           "syscall::getppid:entry /pid == $target/ { printf(\"%s%s%s\", probefunc, execname, cwd); }",
                           "-c", f"{workload('getppid')} 20000"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=100)
    lost = sum(int(count) for count in re.findall(r"(\d+) drops? on CPU", done.stderr))
    said = sum(int(count) for count in re.findall(r"discarded (\d+) event", events("full", lost=True)))
    got = len(events("full"))
    if not lost or lost != said or lost + got != 20000:
        bad.append(f"{lost} were lost, babeltrace2 says {said}, and {got} are there")

# What a speculation kept is older than what was written meanwhile.
run("-q", "-x", "oformat=ctf", "-o", file("late"), "-n",
    "int n; syscall::getppid:entry /pid == $target && n == 0/ { self->s = speculation(); speculate(self->s); trace(n); }"
    "syscall::getppid:return /pid == $target/ { trace(n++); } "
    "syscall::getppid:return /pid == $target && n == 50/ { commit(self->s); }")
if "cpu" not in " ".join(content("late")) or not any(name.endswith("_late") for name in content("late")):
    bad.append(f"nothing is late: {list(content('late'))}")
if reader("babeltrace2") and len(events("late")) != CALLS + 1:
    bad.append(f"{len(events('late'))} events with a late one")

# It is a directory of its own.
done = replay(file("r"), "-x", "oformat=ctf", status=1)
if b"oformat=ctf writes a directory" not in done.stderr:
    bad.append(f"to standard output: {done.stderr}")
done = replay(file("r"), "-x", "oformat=ctf", "-o", file("live"), status=1)
if b"failed to replace" not in done.stderr or content("live") != content("again"):
    bad.append(f"into a directory that has something: {done.stderr}")

# A part of a recording.
whole = [record["time"] for record in records]
begin, end = whole[100], whole[200]
part = [json.loads(line) for line in replay(file("r"), "-x", "oformat=jsonl", "-x", f"range={begin}..{end}").stdout.decode().splitlines()]
if sorted(line["time"] for line in part if line["type"] == "record") != [time for time in whole if begin <= time < end]:
    bad.append("a range has other records")
if bad:
    sys.exit("\n".join(bad))
