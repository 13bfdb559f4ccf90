# Every script of these tests again, with -x oformat=jsonl: each line is as docs/jsonl.schema.json says, the last one is
# the end, and between them they show all that the schema describes.
# @@timeout: 240
# @@host
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import jsonl  # noqa: E402

TOP = pathlib.Path(os.environ["TESTS"])
# What no script among them does.
MORE = {
    "more records than room": ["-b", "4k", "-n", 9 * "BEGIN { tracemem(curthread, 4096); } " + "BEGIN { exit(0); }"],
    "drops": ["-x", "dynvarsize=64", "-n", "BEGIN { a[1] = 1; a[2] = 2; a[3] = 3; exit(0); }"],
    "actions": ["-w", "-n", """
BEGIN { sym(0); mod(0); usym(0); umod(0); uaddr(0); func(0); stack(); ustack(); jstack(); }
BEGIN { setopt("quiet"); freopen(""); ftruncate(); system("true"); printm(4, &`vfs_read); chill(1); raise(0); }
BEGIN { @a[1] = count(); @b = lquantize(-5, -2, 2); clear(@a); trunc(@a, 1); normalize(@b, 2); denormalize(@b); }
BEGIN { @q = quantize(-1); @s = stddev(1); @m = min(1); @x = max(-1); @g = avg(3); @t = sum(1); printa(@q); printa("%@d", @t); }
BEGIN { @l = llquantize(99999, 10, 0, 3, 10); @e[stack(), execname, probefunc, sym(0)] = count(); }
BEGIN { self->s = speculation(); } BEGIN { speculate(self->s); trace(1); } BEGIN { commit(self->s); }
BEGIN { self->s = speculation(); } BEGIN { speculate(self->s); trace(1); } BEGIN { discard(self->s); }
BEGIN { print(curthread->comm); print(1); tracemem(curthread, 4); pcap(alloca(4096), 1); trace("a\\xff"); } BEGIN { trace(*(int *)16); }
BEGIN { trace(1 / (pid - pid)); } BEGIN { exit(0); } ERROR { trace(*(int *)16); }"""],
}


def words(text, key):
    found = re.findall(rf"@@{key}: *(.*?)(?: *\*/)?$", text, re.M)
    return shlex.split(found[-1].replace("$BUILD", os.environ["BUILD"])) if found else []


def commands():
    for path in sorted((TOP / "conformance").rglob("tst.*.d")):
        text = path.read_text(errors="replace")
        name = str(path.relative_to(TOP))
        yield name, [*words(text, "options"), "-s", name, *words(text, "args")], int((words(text, "status") or [0])[0])
    for name, arguments in MORE.items():
        yield name, arguments, 0


def lines_of(command):
    name, arguments, wanted = command
    done = subprocess.run([os.environ["DTRACE"], "-x", "oformat=jsonl", *arguments], cwd=TOP, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    if done.returncode != wanted:
        sys.exit(f"{name}: exit status {done.returncode}: {done.stderr.decode(errors='replace')}")
    out = done.stdout.decode()
    if "-c" in arguments:  # what the command prints is its own
        out = "".join(line for line in out.splitlines(True) if line.startswith('{"v":'))
    lines = jsonl.parse(out)
    if [line["type"] for line in lines].count("end") != 1 or lines[-1] != {"v": 1, "type": "end", "status": wanted}:
        sys.exit(f"{name}: the last line is {lines[-1:]}")
    return lines


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    all_lines = [line for lines in pool.map(lines_of, list(commands())) for line in lines]
seen = {"type": set(), "action": set(), "function": set(), "member": set()}
for line in all_lines:
    seen["type"].add(line["type"])
    seen["member"] |= {(line["type"], member) for member in line}
    seen["function"] |= {line["function"]} if "function" in line else set()
    for action in line.get("actions", []):
        seen["action"].add(action["action"])
        seen["member"] |= {("action", member) for member in action}
        seen["member"] |= {("value", member) for value in action.get("values", []) for member in value}
    seen["member"] |= {("bucket", member) for bucket in line.get("buckets", []) for member in bucket}
known = jsonl.SCHEMA["$defs"]
wanted = {
    # Those of the SystemTap language are in stap/tst.jsonl.py, and those of lists in cli/tst.list_formats.py.
    "type": {one["$ref"].rpartition("/")[2] for one in jsonl.SCHEMA["oneOf"]} - {"text", "message", "variable", "listed", "recording"},
    "action": set(known["action"]["properties"]["action"]["enum"]),
    "function": set(known["aggregation"]["properties"]["function"]["enum"]),
    "member": {(name, member) for name in ("record", "aggregation", "error", "drop", "end", "action", "value", "bucket")
               for member in known[name]["properties"]},
}
print(len(all_lines), "lines;", {kind: len(found) for kind, found in seen.items()})
missing = {kind: wanted[kind] - seen[kind] for kind in wanted if wanted[kind] - seen[kind]}
if missing:
    sys.exit(f"described, and never seen: {missing}")
