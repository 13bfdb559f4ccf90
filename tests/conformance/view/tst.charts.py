"""oformat=svg of what is no flame graph: heat maps, histograms, lines, tables, timelines, events and samples have together what a
program is known to have done; a replay draws the same bytes; names are no markup."""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, os.environ["TESTS"])
from exports import CALLS, replay, run  # noqa: E402
from soundness import DTRACE  # noqa: E402

OURS = "syscall::getppid:entry /pid == $target/"
BOTH = "syscall::getppid:entry, syscall::getppid:return /pid == $target/"
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r:.500}, not {wanted!r:.500}")


def charts(svg):
    """By title: the numbers of each chart, and the texts of its tooltips."""
    out = {}
    for group in xml.dom.minidom.parseString(svg).getElementsByTagName("g"):
        marks = [mark for name in ("rect", "circle") for mark in group.getElementsByTagName(name) if mark.hasAttribute("data-n")]
        numbers = [int(mark.getAttribute("data-n")) for mark in marks]
        titles = ["".join(child.data for child in mark.getElementsByTagName("title")[0].childNodes) for mark in marks]
        out[group.getAttribute("data-chart")] = (numbers, titles)
    return out


with tempfile.TemporaryDirectory(prefix="charts-") as directory:
    file, recording = os.path.join(directory, "x.svg"), os.path.join(directory, "x.dtr")

    def draw(script, *words):
        """Live and from its recording: the same."""
        for name in (file, recording):
            if os.path.exists(name):
                os.unlink(name)
        live = run("-q", "-b", "32m", "-x", "oformat=svg", "-x", f"record={recording}", *words, "-n", script).stdout
        check(live, replay(recording, "-x", "oformat=svg", *words).stdout, f"replay of {script}")
        return charts(live)

    # Aggregations that ticks print and clear, that are printed once, and that the script removes.
    drawn = draw(f"""{OURS} {{ @heat[execname] = quantize(++n % 1000); @calls[n % 11] = count(); @two[n % 11] = sum(2); @worst = max(n);
            @hist[n % 2] = lquantize(n % 10, 0, 10); @table[n % 60] = sum(1); }}
        {OURS[:-1]} && n % 100 == 0/ {{ clear(@hist); trunc(@table); }}
        tick-5ms {{ printa(@heat); clear(@heat); printa(@calls, @two); clear(@calls); clear(@two); printa(@worst); }}""")
    wanted = {"@heat = quantize(++n % 1000) by execname, a column at tick-5ms": CALLS,
              "@calls = count() by n % 11; @two = sum(2) by n % 11, a column at tick-5ms": 3 * CALLS,
              "@hist = lquantize(n % 10) by n % 2": CALLS, "@table = sum(1) by n % 60": CALLS}
    for title, number in wanted.items():
        found = [sum(numbers) for there, (numbers, _) in drawn.items() if there == title]
        check([number], found, f"{title} among {list(drawn)}")
    # What was counted in a column is from its begin to its end: no time is in two, and none in no one.
    for title, (_, tips) in drawn.items():
        if not title.startswith("@calls"):
            continue
        ends = {}
        for tip in tips:
            name, begin, end = re.fullmatch(r"(.*): -?[\d,]+ from (.*) to (.*)", tip).groups()
            check(ends.get(name, begin), begin, f"where a column of {name} begins")
            ends[name] = end
    worst = next((numbers for title, (numbers, _) in drawn.items() if title.startswith("@worst")), [])
    check(CALLS, max(worst, default=0), "the largest of a line")
    hist, titles = drawn["@hist = lquantize(n % 10) by n % 2"]
    check({CALLS // 10}, set(hist) - {0}, "counts of a histogram")
    table, titles = drawn["@table = sum(1) by n % 60"]
    check(60, len(table), "bars on an axis of numbers")
    check([0, 1, 2, 59], [int(titles[i].split(":")[0]) for i in (0, 1, 2, -1)], "their order")

    # A sum of nothing is a bar, too, and an empty key is no sum of all.
    drawn = draw(f'{OURS} {{ @sums["none"] = sum(0); @sums[""] = sum(2); @sums["some"] = sum(1); }}')
    check({'@sums = sum(0) by "none"': ([2 * CALLS, CALLS, 0], [f"(empty): {2 * CALLS:,}", f"some: {CALLS:,}", "none: 0"])}, drawn, "sums")

    # Of several keys, a cell has the hue of the one that has most of it; of one, the shades of cividis.
    draw(f'int n; {OURS} {{ @[++n % 10 < 7 ? "blue" : "orange"] = lquantize(n % 10 < 7 ? 1 : 2, 0, 4); }} tick-10s {{ clear(@); }}')
    svg = replay(recording, "-x", "oformat=svg").stdout.decode()
    fills = re.findall(r'data-n="(\d+)"[^>]*fill="([^"]*)"', svg)
    check([(str(CALLS * 7 // 10), "#0072b2"), (str(CALLS * 3 // 10), True)],
          [fills[0], (fills[1][0], fills[1][1] not in ("#0072b2", "#e69f00") and int(fills[1][1][1:3], 16) > int(fills[1][1][5:7], 16))],
          f"hues {fills}")
    check([("#0072b2", "blue"), ("#e69f00", "orange")], re.findall(r'fill="(#\w+)"/><text[^>]*>(\w+)</text>', svg), "the legend")

    # Long numbers are whole, and in the picture: behind their bar, or within it.
    number = "9,223,372,036,854,775,807"
    draw(f"{OURS} {{ @a[0] = max(9223372036854775807); @a[1] = max(-9223372036854775807); @b = min(-9223372036854775807); }}")
    svg = replay(recording, "-x", "oformat=svg").stdout.decode()
    places = re.findall(rf'<text class="(\w+)" x="([\d.]+)" [^>]*>-?{number}</text>', svg)
    check(3, len(places), f"long numbers in {svg}")
    for style, x in places:
        check(True, 180 < float(x) <= 1200 if style == "end" else float(x) + 180 <= 1200, f"a long number at {x}, {style}")

    # Units: a difference of times is in ns, and is said as people say it.
    drawn = draw(f"{OURS} {{ self->t = timestamp; }} {OURS.replace('entry', 'return')} {{ @wait = quantize(timestamp - self->t); }}")
    numbers, titles = drawn.get("@wait = quantize(timestamp - self->t), in ns", ([], []))
    check(CALLS, sum(numbers), f"a histogram of times: {list(drawn)}")
    check(True, any(re.match(r"(\S+ [mun]?s): \d+ to \d+ ns \(\1 to \S+ [mun]?s\): \d+$", title) for title in titles), f"its buckets: {titles}")

    # Records: of two probes, of one with a number, without one, with a stack.
    for script, number, what in ((BOTH + " { trace(arg0); }", CALLS, "timeline"), (OURS + " { trace(++n); }", CALLS, "numbers"),
                                 (OURS + " { trace(++n < 3 ? -n : 1 << (n % 40)); }", CALLS, "far numbers, and some below 0"),
                                 (OURS + " { trace(execname); }", CALLS, "texts"), (OURS + " { ustack(3); }", CALLS, "samples")):
        drawn = draw(script)
        check([number], [sum(numbers) for numbers, _ in drawn.values()], what)

    # A flame graph comes first, but where a hint names another picture.
    both = OURS + " { @s[ustack()] = count(); @q = quantize(++n); }"
    svg = run("-q", "-x", "oformat=svg", "-n", both).stdout
    check(True, b"data-b" in svg and b"data-chart" not in svg, "a flame graph")
    drawn = draw(both, "-x", "view=@q:hist")
    check([CALLS], [sum(numbers) for numbers, _ in drawn.values()], "view=@q:hist")

    # The old picture stays until the new one is whole: another file takes its name.
    with open(file, "w") as out:
        out.write("an old picture")
    for script in (OURS + " { @ = count(); }", OURS + " { @[ustack()] = count(); }"):
        before = os.open(file, os.O_RDONLY)
        run("-q", "-x", "oformat=svg", "-o", file, "-n", script)
        check(False, os.fstat(before).st_ino == os.stat(file).st_ino, "the file is written over")
        os.close(before)
    with open(file, "rb") as there:
        whole = there.read()

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    for form in ("svg", "html"):
        done = subprocess.run([DTRACE, "-r", recording, "-x", f"oformat={form}", "-o", file], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=100, preexec_fn=limit)
        check((1, f"dtrace: failed to write to {file}.new: File too large\n"), (done.returncode, done.stderr), f"no room for {form}")
    # Where there was no file, there is none; one of another user's making stays, and is empty as it was.
    new, empty, parts = (os.path.join(directory, name) for name in ("new", "empty", "parts"))
    open(empty, "w").close()
    for form in ("svg", "html", "csv", "perfetto"):
        for name in (new, empty):
            done = subprocess.run([DTRACE, "-r", recording, "-x", f"oformat={form}", "-o", name], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=100, preexec_fn=limit)
            check((1, True), (done.returncode, "File too large" in done.stderr), f"no room for {form}: {done.stderr}")
        if os.path.exists(new):
            check(True, os.path.getsize(new) > 0, f"an empty file of {form} is left")
            os.unlink(new)
        check(True, os.path.exists(empty), f"an empty file that was there before {form}")
    os.unlink(empty)
    with open(file, "rb") as there:
        check(True, whole == there.read(), "the old picture")
    check(["x.dtr", "x.svg"], sorted(os.listdir(directory)), "files")

    # A directory is named.
    draw(OURS + " { trace(++n); }")
    done = subprocess.run([DTRACE, "-r", recording, "-x", "oformat=ctf", "-o", parts], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=100, preexec_fn=limit)
    check((1, True), (done.returncode, f"File too large, in {parts}\n" in done.stderr), f"no room for a directory: {done.stderr}")
    shutil.rmtree(parts, ignore_errors=True)

    # Names are text.
    name = "".join(f"\\{byte:03o}" for byte in b"<script>alert(1)</script>]]>&\"'\x01\x1b[31m")
    drawn = draw(f'{OURS} {{ @a["{name}"] = count(); trace("</title><b>"); }}')
    check([CALLS, CALLS], [sum(numbers) for numbers, _ in drawn.values()], "charts of hostile names")
    svg = replay(recording, "-x", "oformat=svg").stdout
    check((False, False, False), (b"<script" in svg, b"<b>" in svg, b"\x1b" in svg), "markup")

for script, words, message in (("BEGIN { exit(0); }", (), "oformat=svg needs an aggregation, or records"),
                               ("BEGIN { @[stack()] = avg(1); exit(0); }", (), "oformat=svg needs an aggregation, or records")):
    done = subprocess.run([DTRACE, "-x", "oformat=svg", *words, "-n", script], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=100)
    check((1, True, ""), (done.returncode, message in done.stderr, done.stdout), script + done.stderr)
if bad:
    sys.exit("\n".join(bad))
