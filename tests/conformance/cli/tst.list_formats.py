# @@host
# Lists for other programs: dtrace -l as CSV and as JSON lines, of this machine and of a recording.
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import jsonl  # noqa: E402

DTRACE = os.environ["DTRACE"]


def run(*words, status=0):
    done = subprocess.run([DTRACE, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
    if done.returncode != status:
        sys.exit(f"{words}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def same(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, wanted {want}")


FIELDS = ("id", "provider", "module", "function", "name")


def rows_of(text):
    """Of the text below its heading; a field may be empty there."""
    found = []
    for line in text[text.index("   ID   PROVIDER"):].splitlines()[1:]:
        found.append((line[:5].strip(), line[6:16].strip(), line[17:34].strip(), *line[35:].rsplit(None, 1)))
    return [(int(one[0]), one[1], one[2], one[3].strip() if len(one) > 4 else "", one[-1]) for one in found]


def of_csv(text):
    return [(int(row["id"]), *(row[field] for field in FIELDS[1:])) for row in csv.DictReader(io.StringIO(text))]


def of_json(text, kind="probe"):
    lines = [json.loads(line) for line in text.splitlines()]
    same("flaws", [flaw for flaw in map(jsonl.flaw, lines) if flaw], [])
    return [line for line in lines if line["type"] == kind]


def fields(lines):
    return [tuple(line[field] for field in FIELDS) for line in lines]


with tempfile.TemporaryDirectory() as work:
    recording = f"{work}/run.dtr"
    run("-x", f"record={recording}", "-x", "oformat=none", "-n", 'BEGIN { printf("say \\"x\\"\\n"); exit(0); } syscall::getp*id:entry { @ = count(); }')
    for what in (["-ln", "syscall::*stat*:entry,dtrace:::BEGIN"], ["-l", "-r", recording]):
        wanted = rows_of(run(*what))
        same(f"{what}", len(wanted) > 2, True)
        same(f"{what} as CSV", of_csv(run("-x", "oformat=csv", *what)), wanted)
        same(f"{what} as JSON lines", fields(of_json(run("-x", "oformat=jsonl", *what))), wanted)
    about = of_json(run("-x", "oformat=jsonl", "-l", "-r", recording), "recording")
    same("what it is", (len(about), about[0]["about"].splitlines()[0][:14]), (1, 'BEGIN { printf'))
    same("its table", "count()" in about[0]["views"], True)
    same("to a file", (run("-x", "oformat=csv", "-l", "-r", recording, "-o", f"{work}/list"), of_csv(open(f"{work}/list").read())), ("", wanted))
detailed = of_json(run("-x", "oformat=jsonl", "-lvn", "syscall::openat:entry"))
same("arguments", [one["type"] for one in detailed[0]["arguments"]][0], "int")
same("stability", sorted(detailed[0]["stability"]), ["class", "data", "names"])
same("another format", "oformat=svg is no format of a list: csv and jsonl are" in run("-x", "oformat=svg", "-l", status=2), True)
