"""Metrics are exact and do not fall: whatever a script clears and truncates, Prometheus, OTLP and Graphite are given what a
program is known to have done, live as replayed. A file for node_exporter is whole at each moment."""
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from exports import CALLS, all_of, one, reader, replay, run  # noqa: E402
from soundness import DTRACE  # noqa: E402

bad = []
directory = tempfile.TemporaryDirectory(prefix="metrics-")
file = os.path.join(directory.name, "r")


def check(what, got, wanted):
    if got != wanted:
        bad.append(f"{what}: {got}, and not {wanted}")


OURS = "syscall::getppid:entry /pid == $target/"
# Values 0 ... 9 by two keys; n is of one program alone.
SCRIPT = f"""int n; {OURS} {{ @calls[execname, n % 2] = count(); @bytes[n % 2] = sum(n % 10); @sizes[n % 2] = quantize(n % 10); }}
    {OURS} {{ @low = lquantize(n % 10 - 5, -4, 4, 2); @most = max(n); n++; }}
    {OURS[:-1]} && n % 150 == 0/ {{ printa(@calls); clear(@calls); trunc(@sizes); }}
    tick-100hz {{ clear(@bytes); }}"""


def samples(text):
    """Samples of Prometheus by name and labels."""
    out = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            if name in out:
                bad.append(f"{name} is there twice")
            out[name] = int(value)
    return out


live = run("-q", "-x", "oformat=prometheus", "-x", f"record={file}", "-n", SCRIPT)
text = live.stdout.decode()
check("replayed", replay(file, "-x", "oformat=prometheus").stdout.decode(), text)
got = samples(text)
for key in (0, 1):
    check("calls", got[f'dtrace_calls_total{{execname="getppid",n_2="{key}"}}'], CALLS // 2)
    check("bytes", got[f'dtrace_bytes_total{{n_2="{key}"}}'], CALLS // 10 * (20 if key == 0 else 25))
values = [n % 10 for n in range(CALLS)]
for bound in (0, 1, 3, 7, 15):
    for key in (0, 1):
        check(f"at most {bound}", got[f'dtrace_sizes_bucket{{n_2="{key}",le="{bound}"}}'],
              sum(value <= bound for value in values[key::2]))
check("sums of the histogram", got['dtrace_sizes_sum{n_2="1"}'], sum(values[1::2]))
check("counts of the histogram", got['dtrace_sizes_count{n_2="1"}'], CALLS // 2)
for bound in (-5, -3, -1, 1, 3):
    check(f"lquantize up to {bound}", got[f'dtrace_low_bucket{{le="{bound}"}}'], sum(value - 5 <= bound for value in values))
check("all of lquantize", got["dtrace_low_count"], CALLS)
check("max()", got["dtrace_most"], CALLS - 1)
check("drops", (sum(value for name, value in got.items() if name.startswith("dtrace_drops_total")),
                got["dtrace_series_dropped_total"]), (0, 0))
if reader("promtool"):
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        bad.append(f"promtool: {done.stdout}{done.stderr}")

# Names that the other metrics have, or their series; keys of one expression; @ is called after its function.
NAMES = f"""{OURS} {{ @most_count = max(3); @most = quantize(3); @size = quantize(1); @size_sum = min(5); @drops[cpu * 0, cpu * 0] = count();
    @series_dropped = sum(2); @ = count(); @count = sum(7); }}"""
live = run("-q", "-x", "oformat=prometheus", "-x", f"record={file}.names", "-n", NAMES).stdout.decode()
got = samples(live)
check("names", [got[name] for name in ("dtrace_most_count", "dtrace_most_2_count", "dtrace_size_count", "dtrace_size_sum_2",
                                       'dtrace_drops_total_2{cpu_0="0",cpu_0_2="0"}', 'dtrace_drops_total{kind="principal",cpu="0"}',
                                       "dtrace_series_dropped_total_2", "dtrace_series_dropped_total", "dtrace_count_total", "dtrace_count_2_total")],
      [3, CALLS, CALLS, 5, CALLS, 0, 2 * CALLS, 0, CALLS, 7 * CALLS])
types = [line for line in live.splitlines() if line.startswith("# TYPE ")]
check("one type for each name", len({line.split()[2] for line in types}), len(types))
if reader("promtool"):
    done = subprocess.run(["promtool", "check", "metrics"], input=live, capture_output=True, text=True, timeout=100)
    check("promtool, of names", "second HELP" in done.stdout + done.stderr, False)
paths = collections.Counter()
for line in replay(f"{file}.names", "-x", "oformat=graphite").stdout.decode().splitlines():
    paths[line.split(" ")[0]] += int(line.split(" ")[1])
check("paths of @ and @count", (paths["dtrace.count"], paths["dtrace.count_5f2"]), (CALLS, 7 * CALLS))
metrics = [metric for resource in all_of(replay(f"{file}.names", "-x", "oformat=otlp").stdout, 1) for scope in all_of(resource, 2)
           for metric in all_of(scope, 2)]
names = [one(metric, 1) for metric in metrics]
check("names of OTLP", (len(set(names)), b"dtrace.drops_2" in names), (len(names), True))
keys = [[one(pair, 1) for pair in all_of(one(one(metric, 7), 1), 7)] for metric in metrics if one(metric, 1) == b"dtrace.drops_2"]
check("attributes of OTLP", keys, [[b"cpu * 0", b"cpu * 0_2"]])

# The largest number is a minimum like any other; one that was cleared is none.
EXTREMES = """BEGIN { @low = min(9223372036854775807); @high["k"] = max(-9223372036854775807 - 1); @emptied["k"] = min(5); clear(@emptied);
    exit(0); }"""
live = run("-q", "-x", "oformat=graphite", "-n", EXTREMES).stdout.decode()
check("extremes", [line.rsplit(" ", 1)[0] for line in live.splitlines() if "drop" not in line],
      ["dtrace.low 9223372036854775807", "dtrace.high.k -9223372036854775808"])

# OTLP: the same numbers.
request = replay(file, "-x", "oformat=otlp").stdout
found = collections.defaultdict(dict)
for resource in all_of(request, 1):
    for scope in all_of(resource, 2):
        for metric in all_of(scope, 2):
            name = one(metric, 1).decode()
            for tag in (5, 7, 9):
                for data in all_of(metric, tag):
                    for point in all_of(data, 1):
                        labels = tuple((one(pair, 1).decode(), one(one(pair, 2), 1, b"").decode())
                                       for pair in all_of(point, 9 if tag == 9 else 7))
                        found[name][labels] = (tag, point, one(data, 2), one(data, 3))
tag, point, temporality, monotonic = found["dtrace.calls"][("execname", "getppid"), ("n % 2", "1")]
check("calls of OTLP", (tag, one(point, 6), temporality, monotonic), (7, CALLS // 2, 2, 1))
tag, point, temporality, _ = found["dtrace.sizes"][("n % 2", "1"),]
counts = struct.unpack("<127Q", one(point, 6))
bounds = struct.unpack("<126d", one(point, 7))
check("count of OTLP", (tag, one(point, 4), sum(counts), temporality), (9, CALLS // 2, CALLS // 2, 2))
for count, low, high in zip(counts[1:], bounds, bounds[1:]):
    check(f"bucket up to {high}", count, sum(low < value <= high for value in values[1::2]))
if not one(point, 2) < one(point, 3):
    bad.append("the start of OTLP is not before its time")

# The same as an exponential histogram: bucket k has the values from 2^k.
request = replay(file, "-x", "oformat=otlp", "-x", "view=@sizes:hist,hist=native").stdout
natives = {}
for metric in (metric for resource in all_of(request, 1) for scope in all_of(resource, 2) for metric in all_of(scope, 2)):
    if one(metric, 1) == b"dtrace.sizes":
        check("histograms with bounds", all_of(metric, 9), [])
        for point in all_of(one(metric, 10), 1):
            buckets, counts, at = one(point, 8), {}, 0
            exponent = one(buckets, 1) >> 1 ^ -(one(buckets, 1) & 1)
            for byte in one(buckets, 2):  # varints
                counts[exponent] = counts.get(exponent, 0) | (byte & 0x7f) << at
                exponent, at = (exponent, at + 7) if byte & 0x80 else (exponent + 1, 0)
            label = one(one(one(point, 1), 2), 1).decode()
            natives[label] = (one(point, 4), one(point, 7), counts, one(point, 6), struct.unpack("<d", struct.pack("<Q", one(point, 5)))[0],
                              one(one(metric, 10), 2))
for key in (0, 1):
    mine = values[key::2]
    powers = {k: sum(2**k <= value < 2**(k + 1) for value in mine) for k in range(4)}
    check("a native histogram", natives[str(key)],
          (len(mine), mine.count(0), {k: count for k, count in powers.items() if count or 0 < k}, 0, float(sum(mine)), 2))
refused = replay(file, "-x", "oformat=prometheus", "-x", "view=@sizes:hist,hist=native", status=1)
check("what cannot be native", b"hist=native needs oformat=otlp" in refused.stderr, True)

# Graphite: what was added, moment by moment, is all.
live = run("-q", "-x", "oformat=graphite", "-x", f"record={file}.graphite", "-n", SCRIPT)
check("replayed lines", replay(f"{file}.graphite", "-x", "oformat=graphite").stdout, live.stdout)
sums = collections.Counter()
given = set()
for line in live.stdout.decode().splitlines():
    path, value, time = line.split(" ")
    if (path, time) in given:
        bad.append(f"Carbon keeps one value of a second, and {path} has two of {time}")
    given.add((path, time))
    if not re.fullmatch(r"dtrace(\.[A-Za-z0-9_-]+)+", path) or not time.isdigit():
        bad.append(f"no line of Graphite: {line}")
    sums[path] += int(value)
check("calls of Graphite", (sums["dtrace.calls.getppid.0"], sums["dtrace.calls.getppid.1"]), (CALLS // 2, CALLS // 2))
check("buckets of Graphite", (sums["dtrace.sizes.1.from8"], sums["dtrace.sizes.0.from4"]),
      (CALLS // 10, sum(4 <= value <= 7 for value in values[0::2])))

# A file that is read while tracing is one exposition, and its counters never fall.
path = os.path.join(directory.name, "x.prom")
before = -1
with subprocess.Popen([DTRACE, "-q", "-x", "oformat=prometheus", "-o", path, "-n",
                       "tick-200hz { @ticks = count(); } tick-200hz { clear(@ticks); }"],
                      stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
    for _ in range(1_000_000):
        text = ""
        if os.path.exists(path):
            with open(path) as exposition:
                text = exposition.read()
        if not text:
            continue
        if not text.endswith("dtrace_series_dropped_total 0\n"):
            bad.append(f"a part is there: {text[-100:]}")
            break
        now = samples(text).get("dtrace_ticks_total", 0)
        if now < before:
            bad.append(f"{now} is less than {before}")
        before = max(before, now)
        if before >= 100:
            break
    process.terminate()
    process.wait(100)
if os.path.exists(path + ".new"):
    bad.append("a temporary file is left")

# What is no metric is refused, and what falls is said.
done = replay(file, "-x", "oformat=prometheus", "-x", "view=@calls:none", "-x", "view=@bytes:none", "-x", "view=@sizes:none",
              "-x", "view=@low:none", "-x", "view=@most:none", status=1)
if b"needs an aggregation without stacks" not in done.stderr:
    bad.append(f"nothing to show: {done.stderr}")
done = run("-q", "-x", "oformat=prometheus", "-n", f"{OURS} {{ @falls = sum(-1); }}")
if b"@falls falls: values below 0 were added" not in done.stderr:
    bad.append(f"falling: {done.stderr}")
if bad:
    sys.exit("\n".join(bad))
