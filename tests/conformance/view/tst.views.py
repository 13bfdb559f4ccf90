"""oformat=views: all kinds of views; the columns of an aggregation have together what the program is known to have done,
whatever the script clears; spans and records are all there; numbers beyond 2^53 are exact; a replay says the same."""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402
from views import Views  # noqa: E402

CALLS = 5000
SCRIPT = """int n; syscall::getppid:entry /pid == $target/ { @sizes[execname] = quantize(++n % 1000); @calls = count(); @kept = count();
        @stacks[execname, ustack(1)] = count(); @worst[pid - $target] = max(n); @big = sum(0x7fffffffffffff);
        @most = max(0x7fffffffffffffff); @wide = lquantize(n, 0, 10, 2); self->t = timestamp; }
    syscall::getppid:return /self->t && n % 10 == 0/ { trace(timestamp - self->t); }
    syscall::getppid:entry /pid == $target && n % 100 == 0/ { printf("%d %s", n, execname); }
    syscall::getppid:return /pid == $target && n % 100 == 0/ { printf("%d", n); }
    syscall::getppid:entry /pid == $target && n % 100 == 1/ { printf("%d", 0x7ffffffffffffff0 + n % 2); }
    syscall::getppid:entry /pid == $target && n % 50 == 0/ { ustack(2); }
    tick-10ms { printa(@sizes); clear(@sizes); printa(@calls); }
    tick-25ms { clear(@calls); trunc(@sizes); }"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got}, not {wanted}")


with tempfile.TemporaryDirectory(prefix="views-") as directory:
    recording = os.path.join(directory, "x.dtr")
    while True:
        live = subprocess.run([DTRACE, "-x", "oformat=views", "-x", f"record={recording}", "-x", "aggrate=20ms", "-n", SCRIPT,
                               "-c", f"{workload('getppid')} {CALLS}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        if "drops on CPU" not in live.stderr and "drop on CPU" not in live.stderr:
            break
        again(live.stderr)
    replayed = subprocess.run([DTRACE, "-r", recording, "-x", "oformat=views"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=200)
check((0, 0), (live.returncode, replayed.returncode), live.stderr + replayed.stderr)
# Every line but the names of this machine's libraries, which are the same, too.
if replayed.stdout != live.stdout:
    pairs = zip(live.stdout.splitlines(), replayed.stdout.splitlines())
    bad.append(f"a replay differs: {next(((a, b) for a, b in pairs if a != b), 'in length')}")

if bad:
    sys.exit("\n".join(bad))
views = Views(live.stdout)
check(["heat", "line", "table", "flame", "table", "table", "table", "hist", "timeline", "timeline", "scope", "events"],
      views.kinds(), "kinds")
check(CALLS, sum(sum(counts.values()) for counts in views.total("@sizes").values()), "sum of the heat map")
check({(): CALLS}, views.total("@calls"), "the line's columns")
check({(): CALLS}, views.total("@kept"), "the table's columns")
check({(): CALLS}, views.rows[views.index("@kept")], "what is printed")
check({(): CALLS * 0x7fffffffffffff & (2**64 - 1)}, {key: value & (2**64 - 1) for key, value in views.total("@big").items()}, "a sum beyond 2^53")
check({(): 2**63 - 1}, views.rows[views.index("@most")], "the largest number")
check({(0,): CALLS}, views.rows[views.index("@worst")], "a maximum")
check(CALLS, sum(views.total("@wide")[()].values()), "lquantize")
ends = {low for low, _ in views.total("@wide")[()]}
check({0, 2, 4, 6, 8, 10}, ends, "buckets")
check(CALLS, sum(views.total("@stacks").values()), "stacks")
for key in (one for (index, _), one in views.keys.items() if index == views.index("@stacks")):
    check(("getppid", "key"), views.stacks[key["stack"]][0], "the outermost frame")

spans = {index: [span for span in views.spans if span["view"] == index] for index in views.span_totals}
by_kind = {view["title"]: len(spans[index]) for index, view in enumerate(views.plan["views"]) if view["kind"] == "timeline"}
check(2, len(by_kind), f"timelines in {by_kind}")
check([CALLS // 100, CALLS // 10], sorted(by_kind.values()), "spans")
for totals in views.span_totals.values():
    check((len(spans[totals["view"]]), 0, 0), (totals["matched"], totals["unmatched"], totals["open"]), "totals of spans")
for span in views.spans:
    if int(span["begin"]) > int(span["end"]) or not span["lane"].startswith("tid "):
        bad.append(f"a span is wrong: {span}")
large = [record["values"] for record in views.records if record["values"] == [str(0x7ffffffffffffff1)]]
check(CALLS // 100, len(large), "records of numbers beyond 2^53, as texts")
check(CALLS // 50, len([1 for record in views.records if [field["type"] for one in views.plan["records"]
                        if one["layout"] == record["layout"] for field in one["values"]] == ["stack"]]), "samples")

# Clauses of one firing make one column, whatever they do.
TICKS = 10
done = subprocess.run([DTRACE, "-q", "-x", "oformat=views", "-n", f"""int n; tick-20ms {{ @calls = count(); @q = quantize(5);
    printa(@calls); printa(@q); }} tick-20ms {{ printa(@calls); clear(@calls); clear(@q); }} tick-20ms {{ printa(@q); }}
    tick-20ms /++n == {TICKS}/ {{ exit(0); }}"""], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
ticks = Views(done.stdout)
calls, sizes = ([values for _, values in ticks.columns[ticks.index(name)]] for name in ("@calls", "@q"))
check([{(): {(4, 7): one[()]}} if one else {} for one in calls], sizes, "columns of both")
# A dtrace that is kept from its CPU reads what several firings have added for the first of them.
check((TICKS, {}, True), (sum(one.get((), 0) for one in calls[:-1]), calls[-1], len(calls) - 1 <= TICKS), f"columns: {calls}")

# An aggregation that the script never prints is read at aggrate: the run lasts until two columns are out.
reader = subprocess.Popen([DTRACE, "-x", "oformat=views", "-x", "aggrate=10ms", "-n", "tick-5ms { @kept = count(); }"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
lines = []
columns = 0
for line in reader.stdout:
    lines.append(line)
    columns += json.loads(line)["type"] == "column"
    if columns == 2:
        reader.send_signal(signal.SIGINT)
rest = reader.communicate(timeout=100)[1]
kept = Views("".join(lines))
check((0, True), (reader.returncode, len(kept.columns[kept.index("@kept")]) > 1), f"columns beside the script: {rest}")

done = subprocess.run([DTRACE, "-x", "oformat=views", "-n", "BEGIN { exit(0); }"], stdin=subprocess.DEVNULL, capture_output=True,
                      text=True, timeout=100)
if done.returncode != 1 or "oformat=views needs an aggregation, or records of other probes than BEGIN, END and tick-" not in done.stderr:
    bad.append(f"a program without views is not refused: {done}")
if bad:
    sys.exit("\n".join(bad))
