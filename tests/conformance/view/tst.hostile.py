# @@host
"""Names that want to be something else: markup, formulas, lines, fields, controls. One recording has them as keys, as values,
as the name of a process, of its file and of its function, and each format is made of it and read back by a reader of its own:
nothing is markup, nothing ends a cell, a label or a line, every text is valid, and what was counted is all there."""
import base64
import collections
import csv
import gzip
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from exports import CALLS, all_of, fields, one, reader, replay  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402
from views import Views  # noqa: E402

NAMES = [text.encode() for text in (
    "\"'`\\", "two\nlines", "\r\n\r\n", "</script><script>alert(1)</script>", "<!--<script>", "]]><b>", "&lt;&amp;&#60;",
    "\u202egnp.exe", "\u2066a\u2069", "\u2028b\u2029", "\ufffe\uffff", "\ufeffbom", "\u0301", "a;b c", " blanks ", "tab\there",
    "1,2", "=1+1", "+1", "-1", "@SUM(A1)", "'=1", "'", "{a=\"b\"} 1", "# TYPE x counter", "a.b/c", "%s%n%1$s", "${x}$(y)`z`",
    "x" * 3000, ";" * 3000, "a\n\nA\n")] + [bytes(range(1, 256)), b"\xff\xfe\xc0\x80\xed\xa0\x80\xf5", b"cut \xe2\x82", b"\x1b]0;title\x07\x9b2J"]
FILE = b"]]> <\"&';,\n\x1b=\xff -\xe2\x80\xae.x"
FUNCTION = b"<;\"\n"                              # in the place of main
bad = []
directory = tempfile.TemporaryDirectory(prefix="hostile-")


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r:.600}, not {wanted!r:.600}")


def quoted(name):
    return '"' + "".join(f"\\{byte:03o}" for byte in name) + '"'


def text_of(data, what):
    """Of a format that is UTF-8: valid, and without anything that turns or ends a line or a terminal's state."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        bad.append(f"{what} is no UTF-8: {error}")
        return data.decode(errors="replace")
    wrong = {c for c in text if c != "\n" and (unicodedata.category(c) == "Cc" or c in "\u200e\u200f\u2028\u2029\u061c\ufffe\uffff"
                                               or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069")}
    check(set(), wrong, f"controls in {what}")
    return text


def to(form, *words):
    return replay(RECORDING, "-x", f"oformat={form}", *words).stdout


# The program, under another name, with another name of main().
PROGRAM = os.path.join(os.fsencode(directory.name), FILE)
shutil.copy(workload("getppid"), PROGRAM)
with open(PROGRAM, "r+b") as file:
    content = file.read()
    at = content.rindex(b"\0main\0") + 1
    file.seek(at)
    file.write(FUNCTION)
RECORDING = os.path.join(directory.name, "x.dtr")
OURS = f"syscall::getppid:entry /pid == $target && execname == {quoted(FILE[:15])}/"
SUMS = {name: 100 + i for i, name in enumerate(NAMES)}
check(len(NAMES), len(SUMS), "names")
SCRIPT = "BEGIN { " + "".join(f"@names[{quoted(name)}, 1] = sum({value}); @sizes[{quoted(name)}] = quantize({value}); "
                              for name, value in SUMS.items()) + "}" + \
    "".join(f" BEGIN {{ trace({quoted(name)}); }}" for name in NAMES) + f"""
    {OURS} {{ @stacks[execname, {quoted(NAMES[0])}, ustack(2)] = count(); trace(execname); printf("%s", {quoted(NAMES[3])}); }}
    {OURS.replace("entry", "return")} {{ trace({quoted(NAMES[5])}); }}
    {OURS} {{ ustack(2); }}"""
LAUNCH = os.path.join(directory.name, "launch")
with open(LAUNCH, "w") as file:
    file.write(f"import os\nos.execv({PROGRAM!r}, [b'x', b'{CALLS}'])\n")
with open(RECORDING + ".d", "w") as file:
    file.write(SCRIPT)
while True:
    done = subprocess.run([DTRACE, "-q", "-x", "oformat=none", "-x", "strsize=4096", "-b", "64m", "-x", f"record={RECORDING}",
                           "-s", RECORDING + ".d", "-c", f"{sys.executable} -IS {LAUNCH}"], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=200)
    if b"drops on CPU" not in done.stderr and b"drop on CPU" not in done.stderr:
        break
    again(done.stderr.decode())
check((0, b""), (done.returncode, done.stderr), "tracing")

# Text, as bytes, and JSON lines, from which the others' numbers are known.
check(True, all(name in to("text") for name in NAMES), "names in the text of a file")
lines = [json.loads(line) for line in text_of(to("jsonl"), "jsonl").splitlines()]
records = [line for line in lines if line["type"] == "record"]
check(len(NAMES) + 3 * CALLS, len(records), "records")
text_of(to("json"), "json")
json.loads(to("json"))
views = Views(text_of(to("views"), "views"))
check(sum(SUMS.values()), sum(views.total("@names").values()), "sums of view lines")
check(len(NAMES), len(views.total("@names")), "keys of view lines")

# CSV: the bytes themselves, but for the ' before what a spreadsheet would take for a formula.
def cells(data):
    return [row for row in csv.reader(io.StringIO(data.decode("latin-1"), newline=""), strict=True)]


rows = cells(to("csv"))
begin = next(i for i, row in enumerate(rows) if row[-2:] == ["names", "drops"])
got = {}
for name, one_key, value, drops in rows[begin + 1:begin + 1 + len(NAMES)]:
    check(False, name[:1] in "=+-@" and name != "", f"a formula {name!r}")
    got[(name[1:] if name[:1] == "'" else name).encode("latin-1")] = (int(value), one_key, drops)
check({name: (value, "1", "0") for name, value in SUMS.items()}, got, "rows of CSV")

# Stacks: lines of one stack each; frames without ';' in them.
FRAMES = 4  # two keys and two functions
text = text_of(to("folded"), "folded")
stacks = [line.rsplit(" ", 1) for line in text.splitlines()]
check(CALLS, sum(int(number) for _, number in stacks), "sum of folded")
check({FRAMES}, {len(stack.split(";")) for stack, _ in stacks}, "frames of folded")
picture = text_of(to("svg"), "svg")
SVG = "{http://www.w3.org/2000/svg}"
document = xml.etree.ElementTree.fromstring(picture)
check({SVG + name for name in ("svg", "style", "rect", "text", "g", "title", "script")}, {each.tag for each in document.iter()},
      "elements of svg")
check(1, sum(each.tag == SVG + "script" for each in document.iter()), "scripts of svg")
check(["1", str(CALLS)], [str(len(document.findall(f".//{SVG}g[@data-d='0']"))), document.find(f".//{SVG}g[@data-d='0']").get("data-n")], "the ground of svg")
if reader("xmllint"):
    flaws = subprocess.run(["xmllint", "--noout", "-"], input=picture.encode(), capture_output=True, timeout=100)
    check((0, b""), (flaws.returncode, flaws.stderr), "xmllint")
scope = json.loads(text_of(to("speedscope"), "speedscope"))
check(CALLS, sum(profile["endValue"] for profile in scope["profiles"] if profile["name"] == "@stacks"), "endValue of speedscope")
profile = gzip.decompress(to("pprof"))
for string in all_of(profile, 6):
    text_of(string.replace(b"\n", b" "), "pprof")
if reader("go"):
    path = os.path.join(directory.name, "x.pb.gz")
    with open(path, "wb") as file:
        file.write(to("pprof"))
    done = subprocess.run(["go", "tool", "pprof", "-raw", path], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200,
                          env={**os.environ, "HOME": directory.name})
    check(0, done.returncode, f"pprof {done.stderr}")
    check(CALLS, sum(map(int, re.findall(r"^ +(\d+): ", done.stdout.split("\nLocations\n")[0], re.M))), "sum of pprof")
samples = 0
for line in text_of(to("perfscript").replace(b"\n\t", b"\n    "), "perfscript").splitlines():
    if re.fullmatch(r"\S+ +\d+ \[\d{3}\] \d+\.\d{9}: +1 \S+:", line):
        samples += 1
    elif line and not re.fullmatch(r" +[0-9a-f]+ .* \(.*\)", line):
        bad.append(f"a line of perfscript: {line!r}")
check(CALLS, samples, "samples of perfscript")
text_of(to("term").replace(b"\t", b" "), "term")  # as in text on a terminal, tabs stay

# Timelines.
timeline = json.loads(text_of(to("chrome"), "chrome"))
check(CALLS, sum(event["ph"] == "X" for event in timeline["traceEvents"]), "slices of chrome")


# Of Perfetto's texts, the names of tracks and all that are interned (TrackDescriptor is field 60, InternedData 12).
for packet in all_of(to("perfetto"), 1):
    for track in all_of(packet, 60):
        text_of(one(track, 2, b""), "perfetto")
    for interned in all_of(packet, 12):
        for name in (name for tag in (2, 3, 5, 17) for name in all_of(interned, tag)):
            text_of(one(name, 2, b""), "perfetto")
if reader("babeltrace2"):
    path = os.path.join(directory.name, "ctf")
    replay(RECORDING, "-x", "oformat=ctf", "-o", path)
    done = subprocess.run(["babeltrace2", "--names=all", path], capture_output=True, timeout=200)
    check((0, b""), (done.returncode, done.stderr), "babeltrace2")
    check(len(records), len(done.stdout.splitlines()), "events of babeltrace2")

# Metrics: labels are unescaped to as many texts as there are, each with its number.
exposition = text_of(to("prometheus"), "prometheus")
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
values = {}
for line in exposition.split("\n")[:-1]:
    if line.startswith(("# HELP ", "# TYPE ")):
        continue
    found = re.fullmatch(rf'([a-zA-Z_:][a-zA-Z0-9_:]*)((?:\{{{LABEL}(?:,{LABEL})*\}})?) (-?\d+)', line)
    if not found:
        bad.append(f"a line of prometheus: {line!r:.300}")
    elif found[1] == "dtrace_names_total":
        values[found[2]] = int(found[3])
check(sorted(SUMS.values()), sorted(values.values()), "sums of prometheus")
if reader("promtool"):
    done = subprocess.run(["promtool", "check", "metrics"], input=exposition.encode(), capture_output=True, timeout=100)
    check(0, done.returncode, f"promtool {done.stdout}{done.stderr}")
points = {}
for resource in all_of(to("otlp"), 1):
    for metric in (metric for scope in all_of(resource, 2) for metric in all_of(scope, 2)):
        if one(metric, 1) == b"dtrace.names":
            for point in all_of(one(metric, 7), 1):
                labels = tuple(one(one(pair, 2), 1, b"") for pair in all_of(point, 7))
                points[labels] = one(point, 6)
                for label in labels:
                    text_of(label, "otlp")
check(sorted(SUMS.values()), sorted(points.values()), "sums of otlp")
got = collections.Counter()
for line in to("graphite").decode("ascii").splitlines():
    path, value, _ = line.split(" ")
    name = path.split(".")
    if name[:2] == ["dtrace", "names"]:
        got[re.sub(rb"_([0-9a-f]{2})", lambda hex: bytes([int(hex[1], 16)]), name[2].encode())] += int(value)
check(SUMS, dict(got), "sums of graphite")


# The page: its elements are its own, and its data is nothing but base64.
class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.data, self.in_data = [], "", False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.in_data = dict(attrs).get("id") == "data"

    def handle_data(self, data):
        self.data += data if self.in_data else ""

    def handle_endtag(self, tag):
        self.in_data = False


page = Page(text_of(to("html"), "html"))
check(["html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "script", "script"], page.tags, "elements of html")
check(to("views"), gzip.decompress(base64.b64decode(page.data, validate=True)), "data of html")
if bad:
    sys.exit("\n".join(bad))
