"""One recording, all formats: what each says of the same stacks, histograms, sums, records, spans and samples is what a program
is known to have done, also beyond 2^53; each format is made of a recording as it was made while tracing. What was dropped is
in every format, and is with what is there all that fired."""
# @@host
# @@timeout: 400
import base64
import collections
import csv
import decimal
import gzip
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, os.environ["TESTS"])
from exports import all_of, one, reader, replay, run  # noqa: E402
from soundness import DTRACE, aggregation_drops, drops, workload  # noqa: E402
from views import Views  # noqa: E402

N = 900  # calls, a multiple of all that follows
BEYOND = 2**53 + 1  # no double has it
OURS = "pid == $target"
SCRIPT = f"""int n;
    syscall::getppid:entry /{OURS}/ {{ @stacks[execname, n % 3, ustack(4)] = count(); @sizes[n % 3] = quantize(n % 1000);
        @low = lquantize(n % 20 - 5, 0, 10, 2); @bytes[n % 2] = sum(n % 7); @most = max(n); trace(n); }}
    syscall::getppid:entry /{OURS} && n < 3/ {{ @big[n] = sum({BEYOND}); @none[n] = sum(0); }}
    syscall::getppid:return /{OURS}/ {{ trace(n); @took[ustack(4)] = sum({BEYOND // 4}); n++; }}
    syscall::getppid:return /{OURS} && n % 10 == 0/ {{ ustack(4); }}
    syscall::getppid:entry /{OURS} && n % 150 == 149/ {{ printa(@bytes); clear(@bytes); trunc(@low); }}
    tick-10ms {{ printa(@sizes); clear(@sizes); }}"""
bad = []


def bucket(value):
    return 0 if value == 0 else 1 << value.bit_length() - 1


def low(value):
    """The least of a bucket of lquantize(, 0, 10, 2); what is below or above all is -1 and 10."""
    return -1 if value < 0 else min(value - value % 2, 10)


SIZES = collections.Counter((n % 3, bucket(n % 1000)) for n in range(N))
LOW = collections.Counter(low(n % 20 - 5) for n in range(N))
BYTES = collections.Counter()
for n in range(N):
    BYTES[n % 2] += n % 7
KNOWN = {"stacks": {str(key): N // 3 for key in range(3)}, "sizes": dict(SIZES), "low": dict(LOW), "bytes": dict(BYTES), "most": N - 1,
         "big": {key: BEYOND for key in range(3)}, "none": {key: 0 for key in range(3)}, "took": N * (BEYOND // 4), "records": 2 * N + N // 10, "spans": N, "samples": N // 10, "dropped": 0,
         "printing": 2 * N + N // 10 + N // 150}  # records, and those of printa()
TOOK = KNOWN["took"]
assert TOOK < 2**63


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {str(got)[:600]}, and not {str(wanted)[:600]}")


def of_text(text):
    stacks = {key: int(count) for key, count in re.findall(r"^  getppid +(\d+) *\n(?:  +\S+`\S+\n)+ +(\d+)$", text, re.M)}
    sizes = collections.Counter()
    for key, rows in re.findall(r"^ +(\d+) *\n +value  -+ Distribution -+ count *\n((?: +-?\d+ \|.*\n)+)", text, re.M):
        for value, count in re.findall(r"^ +(\d+) \|.* (\d+) *$", rows, re.M):
            sizes[int(key), int(value)] += int(count)
    return {"stacks": stacks, "sizes": {key: count for key, count in sizes.items() if count},
            "took": int(re.search(rf"\n(?:  +\S+`\S+\n)+ +({TOOK})$", text, re.M)[1]),
            "printing": len(re.findall(r"^ +\d+ +\d+ +getppid:(?:entry|return) ", text, re.M))}


def of_jsonl(text):
    lines = [json.loads(line) for line in text.splitlines()]
    out = collections.defaultdict(dict)
    sizes, total = collections.Counter(), collections.Counter()
    for line in lines:
        keys = [key["value"] for key in line.get("keys", [])]
        if line["type"] != "aggregation":
            continue
        if line["name"] == "sizes":
            for row in line["buckets"]:
                sizes[keys[0], row["value"]] += row["count"]
        elif line["name"] == "bytes":
            total[keys[0]] += line["value"]
        elif line["name"] in ("stacks", "big", "none"):
            out[line["name"]][str(keys[1]) if line["name"] == "stacks" else keys[0]] = line["value"]
        elif line["name"] in ("took", "most"):
            out[line["name"]] = line["value"]
    return {**out, "sizes": {key: count for key, count in sizes.items() if count}, "bytes": dict(total),
            "printing": sum(line["type"] == "record" and line["probe"]["function"] == "getppid" for line in lines)}


def of_json(text):
    sizes, total, out = collections.Counter(), collections.Counter(), {}
    probes = json.loads(text)["dtrace"]["probes"]
    for made in (output for probe in probes for output in probe.get("output", [])):
        for row in made.get("aggregation-data", []):
            match made["aggregation-name"]:
                case "sizes":
                    for one_bucket in row["buckets"]:
                        sizes[row["keys"][0], one_bucket["value"]] += one_bucket["count"]
                case "bytes":
                    total[row["keys"][0]] += row["sum"]
                case "stacks":
                    out.setdefault("stacks", {})[str(row["keys"][1])] = row["count"]
                case "big":
                    out.setdefault("big", {})[row["keys"][0]] = row["sum"]
                case "took":
                    out["took"] = row["sum"]
    return {**out, "sizes": {key: count for key, count in sizes.items() if count}, "bytes": dict(total)}


def of_csv(text):
    tables = {}
    for table in text.split("\n\n"):
        rows = list(csv.reader(io.StringIO(table.strip("\n"))))
        tables.setdefault(tuple(rows[0]), []).extend(rows[1:])
    sizes, total = collections.Counter(), collections.Counter()
    for key, value, count, _ in tables["n % 3", "bucket", "sizes", "drops"]:
        sizes[int(key), int(value)] += int(count)
    for key, value, _ in tables["n % 2", "bytes", "drops"]:
        total[int(key)] += int(value)
    check({"0"}, {row[-1] for rows in tables.values() for row in rows}, "the column drops of csv")
    return {"sizes": {key: count for key, count in sizes.items() if count}, "bytes": dict(total),
            "stacks": {key: int(value) for _, key, _, value, _ in tables["execname", "n % 3", "ustack(4)", "stacks", "drops"]},
            **{name: {int(key): int(value) for key, value, _ in tables["n", name, "drops"]} for name in ("big", "none")},
            "took": int(tables["ustack(4)", "took", "drops"][0][1]), "most": int(tables["most", "drops"][0][0]),
            "records": len(tables["n", "drops"]) + len(tables["4", "drops"])}


def of_views(text):
    views = Views(text)
    sizes = {(key, bounds[0]): count for (key,), counts in views.total("@sizes").items() for bounds, count in counts.items() if count}
    samples = {one_layout["layout"] for one_layout in views.plan["records"] if [field["type"] for field in one_layout["values"]] == ["stack"]}
    totals = next(iter(views.span_totals.values()))
    # Every record of a pair is accounted for.
    check(2 * N, 2 * totals["matched"] + totals["unmatched"] + totals["open"], "records of pairs")
    return {"stacks": {str(key): value for (_, key, _), value in views.total("@stacks").items()}, "sizes": sizes,
            "low": {max(bounds[0], -1): count for bounds, count in views.total("@low")[()].items() if count},
            **{name: {key: value for (key,), value in views.total("@" + name).items()} for name in ("bytes", "big", "none")},
            "took": sum(views.total("@took").values()), "most": views.rows[views.index("@most")][()], "spans": len(views.spans),
            "samples": sum(record["layout"] in samples for record in views.records),
            "dropped": next(int(line["total"]) for line in reversed(views.lines) if line["type"] == "drops")}


def of_html(text):
    data = re.search(r'<script[^>]*id="data"[^>]*>([^<]*)<', text)[1]
    return of_views(gzip.decompress(base64.b64decode(data)).decode())


def of_folded(text):
    out = collections.Counter()
    for line in text.splitlines():
        stack, count = line.rsplit(" ", 1)
        out[stack.split(";")[1]] += int(count)
    return {"stacks": dict(out)}


def of_took(text):
    return {"took": sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())}


def of_svg(text):
    """Of the boxes at the second key, and of those that have nothing on them."""
    boxes = [box for box in xml.dom.minidom.parseString(text).getElementsByTagName("g") if box.hasAttribute("data-n")]
    number = [(int(box.getAttribute("data-d")), int(box.getAttribute("data-b")), int(box.getAttribute("data-n"))) for box in boxes]
    leaves = sum(n for d, b, n in number if not any(d + 1 == other and b <= start < b + n for other, start, _ in number))
    check(number[0][2], leaves, "leaves of svg")
    return {"stacks": {box.getElementsByTagName("title")[0].firstChild.data.split(":")[0]: n for box, (d, _, n) in zip(boxes, number) if d == 2},
            "dropped": int(re.search(r"; ([\d,]+) dropped", text)[1].replace(",", ""))}


def of_speedscope(text):
    document = json.loads(text)
    by_name = {profile["name"]: profile for profile in document["profiles"]}
    names = [frame["name"] for frame in document["shared"]["frames"]]
    stacks = collections.Counter()
    for sample, weight in zip(by_name["@stacks"]["samples"], by_name["@stacks"]["weights"]):
        stacks[names[sample[1]]] += weight
    check([sum(stacks.values()), TOOK], [by_name["@stacks"]["endValue"], sum(by_name["@took"]["weights"])], "sums of speedscope")
    evented = [profile for profile in document["profiles"] if profile["type"] == "evented"]
    return {"stacks": dict(stacks), "took": by_name["@took"]["endValue"],
            "spans": sum(event["type"] == "O" for profile in evented for event in profile["events"])}


def varints(data):
    at, out = 0, []
    while at < len(data):
        value = shift = 0
        while True:
            value |= (data[at] & 0x7f) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 0x80:
                break
        out.append(value)
    return out


def of_pprof(content):
    profile = gzip.decompress(content)
    strings = [text.decode() for text in all_of(profile, 6)]
    stacks, took = collections.Counter(), 0
    for sample in all_of(profile, 2):
        values = varints(one(sample, 2, b""))
        labels = {strings[one(label, 1)]: one(label, 3) or strings[one(label, 2)] for label in all_of(sample, 3)}
        took += values[1]
        if values[0]:
            stacks[str(labels.get("n % 3", 0)) or "0"] += values[0]
    return {"stacks": dict(stacks), "took": took}


def of_prometheus(text):
    sizes, lows, out = {}, {}, collections.defaultdict(dict)
    before = collections.Counter()
    for line in text.splitlines():
        name, value = line.rsplit(" ", 1)
        if found := re.match(r'dtrace_sizes_bucket{n_3="(\d+)",le="(\d+)"}', name):
            key, bound = int(found[1]), int(found[2])
            sizes[key, (bound + 1) // 2 if bound else 0] = int(value) - before[key]
            before[key] = int(value)
        elif found := re.match(r'dtrace_low_bucket{le="(-?\d+|\+Inf)"}', name):
            least = 10 if found[1] == "+Inf" else -1 if int(found[1]) < 0 else int(found[1]) - 1
            lows[least] = int(value) - before["low"]
            before["low"] = int(value)
        elif found := re.match(r'dtrace_(bytes|big|none)_total{n(?:_2)?="(\d+)"}', name):
            out[found[1]][int(found[2])] = int(value)
        elif name == "dtrace_most":
            out["most"] = int(value)
        elif name.startswith("dtrace_drops_total"):
            out["dropped"] = (out["dropped"] or 0) + int(value)
    return {**out, "sizes": {key: count for key, count in sizes.items() if count}, "low": {key: count for key, count in lows.items() if count}}


def of_otlp(content):
    out = collections.defaultdict(dict)
    sizes = {}
    for metric in (metric for resource in all_of(content, 1) for scope in all_of(resource, 2) for metric in all_of(scope, 2)):
        name = one(metric, 1).decode()
        for point in (point for tag in (5, 7, 9) for data in all_of(metric, tag) for point in all_of(data, 1)):
            labels = [one(one(pair, 2), 1, b"").decode() for pair in all_of(point, 9 if name in ("dtrace.sizes", "dtrace.low") else 7)]
            if name in ("dtrace.bytes", "dtrace.big", "dtrace.none"):
                out[name[7:]][int(labels[0])] = one(point, 6)
            elif name == "dtrace.most":
                out["most"] = one(point, 6)
            elif name == "dtrace.drops":
                out["dropped"] = (out["dropped"] or 0) + one(point, 6)
            elif name == "dtrace.sizes":
                counts = struct.unpack(f"<{len(one(point, 6)) // 8}Q", one(point, 6))
                bounds = struct.unpack(f"<{len(one(point, 7)) // 8}d", one(point, 7))
                for count, bound in zip(counts, bounds):
                    if count:
                        sizes[int(labels[0]), int(bound + 1) // 2 if bound else 0] = count
    return {**out, "sizes": sizes}


def of_graphite(text):
    sizes, lows, out = collections.Counter(), collections.Counter(), {}
    total, big = collections.Counter(), collections.Counter()
    for path, value, _ in (line.split(" ") for line in text.splitlines()):
        match path.split(".")[1:]:
            case ["sizes", key, least]:
                sizes[int(key), int(least.removeprefix("from"))] += int(value)
            case ["low", least]:
                lows[int(least.removeprefix("from")) if least.startswith("from") and least[4:].isdigit() else -1] += int(value)
            case ["bytes", key]:
                total[int(key)] += int(value)
            case ["big", key]:
                big[int(key)] += int(value)
            case ["most"]:
                out["most"] = int(value)
    return {**out, "sizes": {key: count for key, count in sizes.items() if count}, "bytes": dict(total), "big": dict(big),
            "low": {key: count for key, count in lows.items() if count}}


def of_chrome(text):
    document = json.loads(text, parse_float=decimal.Decimal)
    out = collections.Counter()
    sums = {"@big": collections.Counter(), "@none": collections.Counter()}
    for event in document["traceEvents"]:
        out[event["ph"]] += 1
        if event["ph"] == "C" and (found := re.match(r"(@big|@none) (\d+)", event["name"])):
            sums[found[1]][int(found[2])] += sum(event["args"].values())
        if event["ph"] == "C" and event["name"] == "drops":
            out["dropped"] = event["args"]["value"]  # until then
    return {"spans": out["X"], "samples": out["i"], "big": dict(sums["@big"]), "none": dict(sums["@none"]), "dropped": out["dropped"]}


def of_perfetto(content):
    out, names = collections.Counter(), {}
    sums = {"@big": collections.Counter(), "@none": collections.Counter()}
    for packet in all_of(content, 1):
        for descriptor in all_of(packet, 60):
            names[one(descriptor, 1)] = one(descriptor, 2, b"").decode()
        for event in all_of(packet, 11):
            kind, name = one(event, 9), names.get(one(event, 11), "")
            out[kind] += 1
            if kind == 4 and (found := re.match(r"(@big|@none) (\d+)", name)):
                sums[found[1]][int(found[2])] += one(event, 30)
            if kind == 4 and name == "drops":  # until then
                out["dropped"] = one(event, 30)
        out["samples"] += len(all_of(packet, 66))
    check(out[1], out[2], "ends of Perfetto")
    return {"spans": out[1], "samples": out["samples"], "big": dict(sums["@big"]), "none": dict(sums["@none"]), "dropped": out["dropped"]}


def of_term(text):
    title = text.index("@sizes = ")
    columns = sum(int(line.split()[-1]) for line in text[:title + text[title:].index("\n\n")].splitlines() if re.match(r"\d\d:\d\d:\d\d|end ", line)) \
        if title >= 0 else 0
    spans = re.search(r"(\d+) records: (\d+) spans of two, (\d+) that began before, (\d+) that had not ended, (\d+) without partner", text)
    check(int(spans[1]), 2 * int(spans[2]) + sum(map(int, spans.groups()[2:])), "records of pairs in a terminal")
    return {"columns": columns, "spans": int(spans[2]), "samples": int(re.search(r"^(\d+) records$", text, re.M)[1]),
            "took": int(re.search(r"\|all (\d{15,})", text)[1]), "dropped": int(re.search(r"^(\d+) dropped$", text, re.M)[1])}


FORMS = {"json": of_json, "jsonl": of_jsonl, "csv": of_csv, "views": of_views, "html": of_html, "folded": of_folded, "svg": of_svg,
         "speedscope": of_speedscope, "pprof": of_pprof, "perfscript": lambda text: {"samples": len(re.findall(r"^\S.*:\s*$|^\S.* 1 \S+:$", text, re.M))},
         "prometheus": of_prometheus, "otlp": of_otlp, "graphite": of_graphite, "chrome": of_chrome, "perfetto": of_perfetto, "term": of_term, "text": of_text}
BINARY = ("pprof", "otlp", "perfetto")


def compare(form, got):
    for name, value in got.items():
        if name != "columns":
            check(KNOWN[name], value, f"{name} of oformat={form}")


# Of forms that have it: when aggregations are printed.
PRINTED = {"jsonl": rb'"type":"aggregation",(?:"fired":\d+,)?"time":\d+', "json": rb'"timestamp":\d+,"cpu":-1,'}


def lines_of_page(document):
    return gzip.decompress(base64.b64decode(re.search(r'<script[^>]*id="data"[^>]*>([^<]*)<', document)[1])).decode()


def recorded(file, script, calls, *words):
    """A run that loses something: what it has said of drops, and a function that replays it."""
    done = subprocess.run([DTRACE, "-q", "-x", "oformat=none", "-x", f"record={file}", *words, "-n", script, "-c", f"{workload('getppid')} {calls}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    check(0, done.returncode, done.stderr)

    def shown(form, *words):
        return subprocess.run([DTRACE, "-r", file, "-x", f"oformat={form}", *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=100).stdout
    return done.stderr, shown


def whole(directory):
    file = os.path.join(directory, "x.dtr")
    # Every form live is that of its own recording; all forms are made of the last one.
    for form in FORMS:
        live = run("-x", f"oformat={form}", "-x", f"record={file}", "-x", "aggrate=10ms", "-x", "bufsize=4m", "-n", SCRIPT, calls=N).stdout
        again = replay(file, "-x", f"oformat={form}").stdout
        if form in PRINTED:
            live, again = (re.sub(PRINTED[form], b"", text) for text in (live, again))
        check(True, live == again, f"oformat={form} of a recording is as it was live")
    for form, read in FORMS.items():
        content = replay(file, "-x", f"oformat={form}").stdout
        got = read(content if form in BINARY else content.decode())
        compare(form, got)
        if form == "term":
            check(N, got["columns"], "columns of the heat map in a terminal")
    compare("folded", of_took(replay(file, "-x", "oformat=folded", "-x", "view=@took:flame").stdout.decode()))
    count = replay(file, "-x", "oformat=jsonl").stdout.count(b'"type":"record"')
    summary = subprocess.run([DTRACE, "-l", "-r", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100).stdout
    if not re.search(rf"^{count} records, \d+ messages?, no drops; exit status 0$", summary, re.M):
        bad.append(f"the recording has something else than {count} records: {summary[:600]}")
    # A column ends where its tick fired; the last one has what came behind the last tick.
    views = Views(replay(file, "-x", "oformat=views").stdout.decode())
    ends = [time + int(views.plan["start"]) for time, _ in views.columns[views.index("@sizes")]]
    lines = [json.loads(line) for line in replay(file, "-x", "oformat=jsonl").stdout.splitlines()]
    ticks = [line["time"] for line in lines if line["type"] == "record" and line["probe"]["name"] == "tick-10ms"]
    check((sorted(set(ends)), []), (ends, [end for end in ends[:-1] if end not in ticks]), "ends of the columns of a heat map")
    trace = os.path.join(directory, "ctf")
    replay(file, "-x", "oformat=ctf", "-o", trace)
    if reader("babeltrace2"):
        done = subprocess.run(["babeltrace2", trace], capture_output=True, text=True, timeout=100)
        check((0, KNOWN["records"]), (done.returncode, len(done.stdout.splitlines())), f"events of babeltrace2: {done.stderr}")


def lost_records(directory):
    """A buffer that is full: what is there and what was dropped is what has fired, and every format that shows records says so."""
    fired, file = 20_000, os.path.join(directory, "full.dtr")
    said, shown = recorded(file, f"syscall::getppid:entry /{OURS}/ {{ printf(\"%s%s%s\", probefunc, execname, cwd); @calls = count(); }}", fired,
                           "-b", "4k", "-x", "switchrate=1s")
    lost = drops(said)
    check(True, 0 < lost < fired, f"drops: {said}")
    summary = subprocess.run([DTRACE, "-l", "-r", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100).stdout
    count = re.search(r"^(\d+) records, (.*);", summary, re.M)
    check((fired, lost), (int(count[1]) + lost, sum(map(int, re.findall(r"(\d+) drops? on CPU", count[2])))), f"what the recording says: {summary[:600]}")
    check(fired, shown("jsonl").count(b'"type":"record"') + lost, "records of jsonl, and drops")
    grouped = f"{lost:,}"
    for form, pattern in {"svg": f"{grouped} dropped", "term": rf"\n({lost}|{grouped}) dropped\n", "chrome": rf'"notes":"[^"]*\b{lost} dropped',
                          "csv": rf",{lost}\n"}.items():
        content = shown(form).decode()
        if not re.search(pattern, content):
            bad.append(f"oformat={form} does not say that {lost} were dropped: {content[-300:]}")
    for form, lines in {"views": shown("views").decode(), "html": lines_of_page(shown("html").decode())}.items():
        check(lost, next(int(line["total"]) for line in reversed(Views(lines).lines) if line["type"] == "drops"), f"drops of {form}")
    check(lost, sum(map(int, re.findall(rb'^dtrace_drops_total{kind="principal",cpu="\d+"} (\d+)$', shown("prometheus"), re.M))), "drops of prometheus")
    check(lost, of_otlp(shown("otlp"))["dropped"], "drops of otlp")
    check(lost, of_perfetto(shown("perfetto"))["dropped"], "drops of perfetto")


def lost_keys(directory):
    """An aggregation that is full: the same, of what shows stacks."""
    fired = 3000
    said, shown = recorded(os.path.join(directory, "keys.dtr"), f"int n; syscall::getppid:entry /{OURS}/ {{ @[n++, ustack(2)] = count(); }}", fired, "-x", "aggsize=16k")
    lost = aggregation_drops(said)
    check(True, 0 < lost < fired, f"aggregation drops: {said}")
    lines = shown("folded").decode().splitlines()
    check((fired, [f"[dropped] {lost}"]), (sum(int(line.rsplit(" ", 1)[1]) for line in lines), [line for line in lines if "dropped" in line]), "folded, with what was lost")
    svg = shown("svg").decode()
    check((f"{fired - lost:,}", f"{lost:,}"), re.search(r"total ([\d,]+); ([\d,]+) dropped", svg).groups(), "svg, with what was lost")
    check(True, f"({lost} dropped)" in json.loads(shown("speedscope"))["name"], "speedscope, with what was lost")
    check(True, f"{lost} dropped".encode() in all_of(gzip.decompress(shown("pprof")), 6), "pprof, with what was lost")
    check(True, bool(re.search(rf"\n({lost}|{lost:,}) dropped\n", shown("term").decode())), "a terminal, with what was lost")
    views = Views(lines_of_page(shown("html").decode()))
    check((fired - lost, lost), (sum(views.total("@").values()), next(int(line["total"]) for line in reversed(views.lines) if line["type"] == "drops")), "the page, with what was lost")


with tempfile.TemporaryDirectory(prefix="equations-") as directory_of_all:
    whole(directory_of_all)
    lost_records(directory_of_all)
    lost_keys(directory_of_all)
if bad:
    sys.exit("\n".join(bad))
