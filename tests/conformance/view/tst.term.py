"""oformat=term: the columns of a heat map and of lines have together what a program is known to have done, whatever ticks
print and clear; and a replay draws the same."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

CALLS = 20_000
OURS = "syscall::getppid:entry /pid == $target/"
SCRIPT = f"""{OURS} {{ @sizes[execname] = quantize(++n % 1000); @calls = count(); @kept = lquantize(n % 10, 0, 10);
    @stacks[ustack(1)] = count(); @worst[pid - $target] = max(n); }}
    tick-10ms {{ printa(@sizes); clear(@sizes); printa(@calls); printa(@kept); }}
    tick-25ms {{ clear(@calls); trunc(@sizes); }}"""
bad = []

with tempfile.TemporaryDirectory(prefix="term-") as directory:
    while True:
        recording = os.path.join(directory, "x.dtr")
        live = subprocess.run([DTRACE, "-x", "oformat=term", "-x", f"record={recording}", "-n", SCRIPT,
                               "-c", f"{workload('getppid')} {CALLS}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        if "drops on CPU" not in live.stderr and "drop on CPU" not in live.stderr:
            break
        again(live.stderr)
    replayed = subprocess.run([DTRACE, "-r", recording, "-x", "oformat=term"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=200)
if live.returncode != 0 or replayed.returncode != 0:
    bad.append(f"exit statuses {live.returncode}, {replayed.returncode}: {live.stderr}{replayed.stderr}")
if replayed.stdout != live.stdout:
    bad.append(f"replayed:\n{replayed.stdout}\nand not\n{live.stdout}")

sums = {}
for line in live.stdout.splitlines():
    column = re.match(r"(?:\d\d:\d\d:\d\d\.\d{3}|end {9}) ", line)
    if column and "@calls" in line:
        sums["calls"] = sums.get("calls", 0) + int(re.search(r"@calls (-?\d+)", line)[1])
    elif column:
        sums["heat"] = sums.get("heat", 0) + int(line.split()[-1])
if sums != {"calls": CALLS, "heat": 2 * CALLS}:
    bad.append(f"the columns have {sums} of {CALLS}:\n{live.stdout}")
if f"|all {CALLS}\n" not in live.stdout or "@worst = max(n) by pid - $target" not in live.stdout:
    bad.append(f"flame graph or table is missing: {live.stdout}")
if re.search(r"[^\n -~]", live.stdout):
    bad.append("there are characters of control")

# Clauses of one firing make one column, whatever they do.
TICKS = 10
done = subprocess.run([DTRACE, "-q", "-x", "oformat=term", "-n", f"""int n; tick-20ms {{ @calls = count(); @q = quantize(5);
    printa(@calls); printa(@q); }} tick-20ms {{ printa(@calls); clear(@calls); clear(@q); }} tick-20ms {{ printa(@q); }}
    tick-20ms /++n == {TICKS}/ {{ exit(0); }}"""], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
lines = [line for line in done.stdout.splitlines() if re.match(r"\d\d:\d\d:\d\d\.\d\d\d ", line)]
calls = [int(line.split("@calls")[1].split()[0]) for line in lines if "@calls" in line]
sizes = [int(line.split()[-1]) for line in lines if "@calls" not in line]
# A dtrace that is kept from its CPU reads what several firings have added for the first of them, and nothing for the others.
if calls != sizes or sum(calls) != TICKS or len(calls) > TICKS:
    bad.append(f"{TICKS} firings: {done.stdout}{done.stderr}")

# A dtrace that was late fires a tick as often as it should have, all at once: these are no columns of nothing.
done = subprocess.run([DTRACE, "-qw", "-x", "oformat=term", "-n", """int n; BEGIN { @calls = count(); @q = quantize(1); }
    tick-10ms { n++; printa(@calls); printa(@q); } tick-10ms /n == 10/ { system("sleep 1"); } tick-10ms /n == 120/ { exit(0); }
    END { printf("%d", n); }"""], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
for name, pattern in (("@calls", r"\d\d:\d\d:\d\d\.\d+ +@calls +(\d+)"), ("@q", r"\d\d:\d\d:\d\d\.\d+ (?!.*@calls).* (\d+)")):
    values = [int(found[1]) for found in (re.fullmatch(pattern + "[ #]*", line) for line in done.stdout.splitlines()) if found]
    if not values or sum(values) != 1 or len(values) > 60:
        bad.append(f"{len(values)} columns of {name}: {done.stdout}{done.stderr}")

# What no tick reads is drawn as of the end, also where a recording has it as of earlier moments.
with tempfile.TemporaryDirectory(prefix="term-") as directory:
    recording = os.path.join(directory, "x.dtr")
    program = """int n; BEGIN { @[1] = count(); @q = quantize(8); } tick-10ms /n++ < 50/ { @[1] = count(); @q = quantize(8); }
        tick-10ms /n == 51/ { exit(0); }"""
    live = subprocess.run([DTRACE, "-q", "-x", "oformat=term", "-x", f"record={recording}", "-x", "aggrate=20ms", "-n", program],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    replayed = subprocess.run([DTRACE, "-r", recording, "-x", "oformat=term"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=100)
    for done in (live, replayed):
        if not re.search(r"^ +1 +51$", done.stdout, re.M) or not re.search(r"^ +8 \|@+ +51 *$", done.stdout, re.M):
            bad.append(f"not drawn as of the end: {done.stdout}{done.stderr}")

# Records: events are lines as they come, spans and samples are drawn at the end; a replay draws the same.
HOSTILE = "\\033[2J\\n"
with tempfile.TemporaryDirectory(prefix="term-") as directory:
    recording = os.path.join(directory, "x.dtr")
    program = f"""int n; {OURS} {{ self->t = timestamp; trace(++n); trace("{HOSTILE}"); }} {OURS.replace("entry", "return")} {{ trace(timestamp - self->t); }}
        {OURS} {{ ustack(2); }}"""
    few = 300
    while True:
        live = subprocess.run([DTRACE, "-q", "-x", "oformat=term", "-x", f"record={recording}", "-n", program, "-c", f"{workload('getppid')} {few}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, env={**os.environ, "COLUMNS": "100"})
        if "drops on CPU" not in live.stderr and "drop on CPU" not in live.stderr:
            break
        again(live.stderr)

    def drawn(*words):
        return subprocess.run([DTRACE, "-r", recording, "-x", "oformat=term", *words], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=200, env={**os.environ, "COLUMNS": "100"}).stdout
    if drawn() != live.stdout:
        bad.append(f"records replayed:\n{drawn()}\nand not\n{live.stdout}")
    text = drawn("-x", "view=syscall::getppid:entry:events")
    rows = re.findall(r"^\d\d:\d\d:\d\d\.\d{9}  \d+ +syscall:\w*:getppid:entry  \+\+n=(\d+) .*=\\033\[2J\\012$", text, re.M)
    if list(map(int, rows)) != list(range(1, few + 1)):
        bad.append(f"{len(rows)} rows of events: {text:.2000}{live.stderr}")
    if f"{few} " not in live.stdout or not re.search(r"^thread \d+ .*[.:=+*#%@|-]", live.stdout, re.M) or "a character" not in live.stdout:
        bad.append(f"no lanes: {live.stdout}")
    cells = re.findall(r"^\d\d:\d\d:\d\d .{50}  (\d+)$", live.stdout, re.M)
    if sum(map(int, cells)) != few:
        bad.append(f"samples by second: {cells} of {live.stdout}")
    if not live.stdout.endswith("\n0 dropped\n") or re.search(r"[^\n -~]", live.stdout):
        bad.append(f"drops, or control characters: {live.stdout[-200:]!r}")

done = subprocess.run([DTRACE, "-x", "oformat=term", "-n", "BEGIN { trace(1); }"], stdin=subprocess.DEVNULL, capture_output=True,
                      text=True, timeout=100)
if done.returncode != 1 or "oformat=term needs an aggregation, or records of other probes" not in done.stderr:
    bad.append(f"a program without aggregations is not refused: {done}")

# An aggregation in which nothing is left is said to be empty.
done = subprocess.run([DTRACE, "-q", "-x", "oformat=term", "-n", "BEGIN { @a = quantize(1); @b[1] = count(); @c[2] = count(); trunc(@a); trunc(@b); exit(0); }"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
if not re.search(r"@a = quantize\(1\)\n  \(empty\)\n.*@b = count\(\) by 1\n  \(empty\)\n.*@c = count\(\) by 2\n\n? +2 +1\n", done.stdout, re.S):
    bad.append(f"empty aggregations: {done}")
if bad:
    sys.exit("\n".join(bad))
