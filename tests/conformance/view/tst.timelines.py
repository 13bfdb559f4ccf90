"""Timelines have every record of a run, in whole ns: entries and returns become slices that lie within one another, what has
no partner is said, and Chrome's JSON, Perfetto's packets and speedscope's profiles agree with the JSON lines of one recording."""
import collections
import decimal
import json
import os
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from exports import CALLS, all_of, fields, one, replay, run  # noqa: E402

bad = []
directory = tempfile.TemporaryDirectory(prefix="timelines-")
file = os.path.join(directory.name, "r")


def check(what, got, wanted):
    if got != wanted:
        bad.append(f"{what}: {got}, and not {wanted}")


OURS = "/pid == $target/"
SCRIPT = f"""syscall::getppid:entry {OURS} {{ self->in = timestamp; trace(arg0); }}
    syscall::getppid:return {OURS} {{ trace(arg1); @calls = count(); @took = quantize(timestamp - self->in); }}
    syscall::getppid:return {OURS} {{ printf("%d %s", timestamp - self->in, execname); }}
    syscall::getppid:return {OURS[:-1]} && ++n % 100 == 0/ {{ ustack(4); }}"""
live = {form: run("-q", "-x", f"oformat={form}", "-x", f"record={file}.{form}", "-n", SCRIPT).stdout
        for form in ["chrome", "perfetto", "speedscope"]}
for form, output in live.items():
    if replay(f"{file}.{form}", "-x", f"oformat={form}").stdout != output:
        bad.append(f"{form}: another one is made of the recording")

recording = f"{file}.chrome"
records = [json.loads(line) for line in replay(recording, "-x", "oformat=jsonl").stdout.decode().splitlines()]
records = [record for record in records if record["type"] == "record"]
check("records", len(records), 3 * CALLS + CALLS // 100)
threads = {(record["pid"], record["tid"]) for record in records}
check("threads", len(threads), 1)
pid, tid = threads.pop()
entries = [record["time"] for record in records if record["probe"]["name"] == "entry"]
returns = [record["time"] for record in records if record["epid"] == 2]
lengths = [(record["time"], record["actions"][0]["values"][0]["value"]) for record in records if record["epid"] == 3]
stacks = [record["time"] for record in records if record["epid"] == 4]
check("entries and returns", (len(entries), len(returns), len(lengths)), (CALLS, CALLS, CALLS))
wanted = sorted(zip(entries, returns)) + sorted((end - length, end) for end, length in lengths)
first = min(begin for begin, _ in wanted)

# Chrome: times are us since the first, with every ns.
document = json.loads(replay(recording, "-x", "oformat=chrome").stdout, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
start = int(document["otherData"]["start_ns"])
check("the begin", start, first)
slices = [event for event in document["traceEvents"] if event["ph"] == "X"]
got = [(start + int(1000 * event["ts"]), start + int(1000 * event["ts"]) + int(1000 * event["dur"])) for event in slices]
check("slices of Chrome", sorted(got), sorted(wanted))
moments = [event for event in document["traceEvents"] if event["ph"] == "i"]
check("samples of Chrome", [start + int(1000 * event["ts"]) for event in moments], stacks)
if any(str(int(event["sf"])) not in document["stackFrames"] for event in moments):
    bad.append("a sample has no stack")
notes = document["otherData"]["notes"]
check("notes", notes, f"{2 * CALLS} records of pairs: {CALLS} slices of two, 0 that began before, 0 that had not ended, 0 "
      "without partner; 0 dropped")
check("drops", [event["args"] for event in document["traceEvents"] if event["name"] == "drops"], [{"value": 0}])
check("counters", sum(event["args"]["value"] for event in document["traceEvents"] if event["name"] == "@calls"), CALLS)
for name in ["@took p50", "@took p99", "@took max"]:
    if not any(event["name"] == name and "ns" in event["args"] for event in document["traceEvents"]):
        bad.append(f"no counter {name}")


def overlaps(spans):
    """Whether two of one track overlap, and neither lies within the other."""
    ends = []
    for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while ends and ends[-1] <= begin:
            ends.pop()
        if ends and end > ends[-1]:
            return True
        ends.append(end)
    return False


tracks = collections.defaultdict(list)
for event, span in zip(slices, got):
    tracks[event["pid"], event["tid"]].append(span)
if any(map(overlaps, tracks.values())):
    bad.append("slices overlap")

# Perfetto: a begin and an end for each slice, on tracks of the thread.
open_slices = collections.defaultdict(list)
got, samples, counts, names = [], [], collections.Counter(), {}
for packet in all_of(replay(recording, "-x", "oformat=perfetto").stdout, 1):
    time = one(packet, 8)
    for descriptor in all_of(packet, 60):
        names[one(descriptor, 1)] = one(descriptor, 2, b"")
        for thread in all_of(descriptor, 4):
            check("the thread", (one(thread, 1), one(thread, 2), one(thread, 5)), (pid, tid, b"getppid"))
    for event in all_of(packet, 11):
        kind, track = one(event, 9), one(event, 11)
        counts[kind] += 1
        if kind == 1:
            open_slices[track].append(time)
        elif kind == 2:
            got.append((open_slices[track].pop(), time))
        elif kind == 4 and names[track] == b"@calls":
            counts["calls"] += one(event, 30)
    samples += [time for _ in all_of(packet, 66)]
check("slices of Perfetto", sorted(got), sorted(wanted))
check("samples of Perfetto", samples, stacks)
check("counters of Perfetto", counts["calls"], CALLS)

# speedscope: what opens last closes first.
document = json.loads(replay(recording, "-x", "oformat=speedscope").stdout)
got = []
for profile in document["profiles"]:
    open_frames = []
    for event in profile["events"]:
        if event["type"] == "O":
            open_frames.append(event)
        else:
            begin = open_frames.pop()
            check("frame", event["frame"], begin["frame"])
            got.append((start + begin["at"], start + event["at"]))
check("slices of speedscope", sorted(got), sorted(wanted))

# Without records, the first drops have no time of their own: they are as of the begin.
with tempfile.TemporaryDirectory(prefix="timelines-") as other:
    counted = os.path.join(other, "r")
    live = run("-q", "-x", "oformat=chrome", "-x", f"record={counted}", "-n", "syscall::getppid:entry /pid == $target/ { @ = count(); }").stdout
    check("replay of counters", replay(counted, "-x", "oformat=chrome").stdout, live)
    events = json.loads(live)["traceEvents"]
    if min(event["ts"] for event in events) != 0 or sum(event["args"]["value"] for event in events if event["name"] == "@") != CALLS:
        bad.append(f"counters alone: {events}")
    times = [one(packet, 8) for packet in all_of(replay(counted, "-x", "oformat=perfetto").stdout, 1) if all_of(packet, 11)]
    if not times or min(times) < 10**18:
        bad.append(f"times of counters alone: {times}")

# A hint says what else belongs together; what cannot be is refused before anything runs.
document = json.loads(replay(recording, "-x", "oformat=chrome", "-x", "view=syscall::getppid:entry:events").stdout)
check("events", document["otherData"]["notes"], "0 dropped")
done = replay(recording, "-x", "oformat=chrome", "-x", "view=@calls:heat", status=1)
if b"there can be no heat of @calls" not in done.stderr or b"the views that there are: " not in done.stderr:
    bad.append(f"an impossible hint: {done.stderr}")
if bad:
    sys.exit("\n".join(bad))
