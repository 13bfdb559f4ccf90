"""-x range=: the parts of a recording have together what the whole has, in every form of output."""
# @@timeout: 120
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE  # noqa: E402
from views import Views  # noqa: E402

FIRINGS = 400
# A call each millisecond, so that there are columns in each part.
TARGET = f"import os, time\nfor i in range({FIRINGS}): os.getppid(); time.sleep(0.001)"
OURS = "syscall::getppid:entry /pid == $target/"
SCRIPT = f"""int n; {OURS} {{ trace(n); @calls[n % 3] = count(); @sums = sum(n); @sizes[n % 2] = quantize(n); @kept = lquantize(n, 0, 1000, 100);
        @stacks[n % 5, ustack(2)] = count(); n++; }} {OURS} {{ ustack(2); }}
    tick-20ms {{ printa(@sizes); clear(@sizes); }} tick-30ms {{ printa(@calls); }}"""
TOTAL = FIRINGS * (FIRINGS - 1) // 2
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def replay(form, part, *words):
    done = subprocess.run([DTRACE, "-q", "-r", file, "-x", f"oformat={form}", *([] if part is None else ["-x", f"range={part}"]), *words],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        bad.append(f"oformat={form}, range={part}: status {done.returncode}: {done.stderr}")
    return done.stdout


def views(text):
    said = Views(text)
    out = {"records": len(said.records)}
    for name in ("@calls", "@sums", "@kept", "@sizes", "@stacks"):
        for value in said.total(name).values():
            out[name] = out.get(name, 0) + (sum(value.values()) if isinstance(value, dict) else value)
    for name in ("@calls", "@sums", "@kept", "@stacks"):
        out["printed " + name] = sum(sum(value.values()) if isinstance(value, dict) else value for value in said.rows[said.index(name)].values())
    return out


def jsonl(text):
    lines = [json.loads(line) for line in text.splitlines()]
    return {"records": sum(action["action"] == "trace" for line in lines if line["type"] == "record" for action in line["actions"])}


def prometheus(text):
    out = collections.Counter()
    for name, value in re.findall(r"^(dtrace_\w+?)(?:\{.*\})? (-?\d+)$", text, re.M):
        if name in ("dtrace_calls_total", "dtrace_sums_total", "dtrace_sizes_count", "dtrace_kept_count"):
            out[name] += int(value)
    return out


def graphite(text):
    out = collections.Counter()
    for name, value in re.findall(r"^dtrace\.(\w+)\S* (-?\d+) \d+$", text, re.M):
        out[name] += int(value)
    return out


def term(text):
    out = collections.Counter()
    for line in text.splitlines():
        if re.match(r"\d\d:\d\d:\d\d\.\d{9} ", line):
            out["events"] += 1
        elif re.match(r"\d\d:\d\d:\d\d|end ", line):
            called = re.search(r"@calls (-?\d+)", line)
            out["calls" if called else "sizes"] += int(called[1] if called else line.split()[-1])
    return out


def chrome(text):
    events = json.loads(text)["traceEvents"]
    return {"moments": sum(one["ph"] in "iIP" and one.get("name") != "drops" for one in events), "calls": sum(sum(one["args"].values()) for one in events if one["ph"] == "C" and one["name"].startswith("@calls"))}


def speedscope(text):
    return {"total": sum(profile["endValue"] for profile in json.loads(text)["profiles"])}


FORMS = {
    "views": views, "jsonl": jsonl, "prometheus": prometheus, "graphite": graphite, "term": term, "chrome": chrome, "speedscope": speedscope,
    "folded": lambda text: {"total": sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())},
    "svg": lambda text: {"total": int(re.search(r"<title>all: ([\d,]+) of", text)[1].replace(",", "")) if "<title>all" in text else 0},
    "perfscript": lambda text: {"samples": len(re.findall(r"^\S.*:\s*$|^\S.*cpu-clock.*$", text, re.M))},
    "csv": lambda text: {"records": sum(len(table.split()) - 1 for table in text.split("\n\n") if table.startswith("n,drops\n"))},
}
with tempfile.TemporaryDirectory(prefix="range-") as directory:
    file = os.path.join(directory, "x.dtr")
    done = subprocess.run([DTRACE, "-q", "-x", "oformat=none", "-x", f"record={file}", "-x", "aggrate=10ms", "-n", SCRIPT, "-c", f"{sys.executable} -c '{TARGET}'"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=100)
    check(0, done.returncode, done.stderr)
    all_views = Views(replay("views", None))
    times = sorted(int(record["time"]) for record in all_views.records)
    start = int(all_views.plan["start"])
    first, second = (times[part * len(times) // 3] for part in (1, 2))
    # Since the start of the recording, and since 1970.
    parts = [f"..{first}ns", f"{first}ns..{start + second}", f"{second}ns.."]
    for form, read in FORMS.items():
        whole = read(replay(form, None))
        of_parts = [read(replay(form, part)) for part in parts]
        sums = {name: sum(one.get(name, 0) for one in of_parts) for name in whole}
        check(dict(whole), sums, f"the parts of oformat={form}")
        # Of an aggregation that was not read in a part, that part has nothing.
        if sum(whole.values()) == 0 or (form in ("views", "jsonl", "csv", "perfscript") and any(sum(one.values()) == 0 for one in of_parts)):
            bad.append(f"oformat={form}: a part is empty: {of_parts}")
    check({"records": 2 * FIRINGS, "@calls": FIRINGS, "@sums": TOTAL, "@kept": FIRINGS, "@sizes": FIRINGS, "@stacks": FIRINGS,
           "printed @calls": FIRINGS, "printed @sums": TOTAL, "printed @kept": FIRINGS, "printed @stacks": FIRINGS}, views(replay("views", None)), "the whole")
    # What is beside all of it is said: an empty picture would look like a quiet machine.
    for part in ("100000s..200000s", "1..2"):
        done = subprocess.run([DTRACE, "-r", file, "-x", "oformat=jsonl", "-x", f"range={part}"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=100)
        check(True, f"range={part}: nothing was recorded then; the recording goes from " in done.stderr, f"range={part}: {done.stderr}")
if bad:
    sys.exit("\n".join(bad))
