# What a person sees where there is nothing, one value, a gap, more keys than hues, a long name, or a narrow window; and what
# the keyboard selects.
# @@timeout: 120
# @@host
import base64
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import browser  # noqa: E402
from soundness import DTRACE  # noqa: E402

browser.find()
SECOND = 10**9
KEYS = 12  # more than there are hues
LONG = "x" * 10_000
PATH = "/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache"
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def lines():
    def aggregation(function, adds_up):
        return {"name": "@" + function, "function": function, "adds_up": adds_up, "keys": [{"name": "execname", "type": "text"}]}

    def view(kind, number=None, layouts=()):
        return {"kind": kind, "title": kind, "aggregations": [] if number is None else [number], "layouts": list(layouts), "ticks": []}

    def key(number, name, aggregation):
        return {"v": 1, "type": "key", "aggregation": aggregation, "id": number, "values": [name]}

    yield {"v": 1, "type": "plan", "title": "shapes", "host": "", "kernel": "", "start": "1700000000000000000",
           "aggregations": [aggregation("avg", False), aggregation("count", True), aggregation("quantize", True), aggregation("sum", True),
                            {**aggregation("quantize", True), "name": "@took", "unit": "ns", "keys": [{"name": "ustack()", "type": "stack"}]},
                            {**aggregation("count", True), "name": "@cpus", "keys": [{"name": "cpu", "type": "number"}]}],
           "records": [{"layout": 0, "probe_count": 1, "probes": ["a:b:c:d"], "values": []},
                       {"layout": 1, "probe_count": 1, "probes": ["a:b:c:e"], "values": [{"name": "arg0", "type": "number"}]},
                       {"layout": 2, "probe_count": 2, "probes": ["a:b:c:f", "a:b:c:g"], "values": [{"name": "arg0", "type": "number"}, {"name": "path", "type": "text"}]}],
           "views": [view("line", 0), view("table", 1), view("heat", 2), view("timeline", layouts=[0]), view("line", 3), {**view("flame", 4), "unit": "ns"}, {**view("heat", 4), "unit": "ns"}, view("table", 5),
                     view("events", layouts=[1]), view("events", layouts=[2])]}
    for number, cpu in enumerate((2, 0, 1)):
        yield key(number, cpu, 5)
    yield {"v": 1, "type": "column", "aggregation": 5, "time": 8 * SECOND, "rows": [[0, 9], [1, 1], [2, 5]]}
    yield {"v": 1, "type": "frames", "first": 0, "frames": [["a`main", "user"], ["a`read", "user"], ["a`write", "inlined"]]}
    for number, frames in enumerate(([0, 1], [0, 2])):
        yield {"v": 1, "type": "stack", "id": number, "frames": frames}
        yield {"v": 1, "type": "key", "aggregation": 4, "id": number, "values": [number], "stack": number}
    yield {"v": 1, "type": "buckets", "aggregation": 4, "buckets": [[70 + n, 1 << n, (2 << n) - 1] for n in range(12)]}
    # read() took 49 times from 64 to 127 ns, once from 256 to 511, and 50 times from 1,024; write() had one that was long.
    yield {"v": 1, "type": "column", "aggregation": 4, "time": 4 * SECOND, "rows": [[0, [76, 49, 78, 1, 80, 50]], [1, [81, 1]]]}
    for layout in (1, 2):
        yield {"v": 1, "type": "record", "layout": layout, "time": SECOND, "cpu": 0, "tid": 7, **({"probe": "a:b:c:g", "values": [42, PATH]} if layout == 2 else {"values": [42]})}
    for number in range(KEYS):
        yield key(number, f"k{number}", 0)
    yield key(0, LONG, 1)
    yield key(1, "", 1)
    yield key(0, "one", 3)
    for second in range(1, 9):
        # k0 has no value in the third second and in the fifth: clear() has taken it.
        yield {"v": 1, "type": "column", "aggregation": 0, "time": second * SECOND,
               "rows": [[number, 1000 * (KEYS - number)] for number in range(KEYS) if number > 0 or second not in (3, 5)]}
    yield {"v": 1, "type": "column", "aggregation": 1, "time": 8 * SECOND, "rows": [[0, 7], [1, 5]]}
    yield {"v": 1, "type": "column", "aggregation": 3, "time": 6 * SECOND, "rows": [[0, 7]]}
    yield {"v": 1, "type": "column", "aggregation": 3, "time": 8 * SECOND, "rows": [[0, 14]]}
    for lane in (1, 2):
        for number in range(3):
            begin = (2 * number + lane) * SECOND
            yield {"v": 1, "type": "span", "view": 3, "begin": begin, "end": begin + SECOND // 2, "lane": f"tid {lane}", "name": f"s{lane}{number}"}
    yield {"v": 1, "type": "spans", "view": 3, "matched": 6, "unmatched": 1, "open": 0}
    yield {"v": 1, "type": "end", "time": 8 * SECOND, "status": 0}


# The pixels of a column of a picture that are neither paper nor grey.
COLOURED = """((picture, time) => {
    const { canvas, g } = picture.surface, x = Math.round(dtracePage.axis.x(time, picture.surface.width));
    const all = g.getImageData(x, 0, 1, canvas.height - 30).data;
    let count = 0;
    for (let i = 0; i < all.length; i += 4) if (all[i + 3] > 40 && Math.max(all[i], all[i + 1], all[i + 2]) - Math.min(all[i], all[i + 1], all[i + 2]) > 60) count++;
    return count;
})"""

page = subprocess.run([DTRACE, "-r", os.path.join(os.environ["TESTS"], "recordings/v1.dtr"), "-x", "oformat=html"], stdin=subprocess.DEVNULL,
                      capture_output=True, text=True).stdout
script = re.search(r"</script>\n<script>(.*?)</script>", page, re.S)[1]
check([], re.findall(r"/\*\*|(?:^|  )// .*|^ +", script, re.M)[:3], "comments and indentation in the script")
data = base64.b64encode(gzip.compress("\n".join(map(json.dumps, lines())).encode(), 1)).decode()
with tempfile.TemporaryDirectory() as directory, browser.Browser() as chromium:
    file = os.path.join(directory, "x.html")
    with open(file, "w", encoding="utf-8") as out:
        out.write(re.sub(r'(<script[^>]*id="data"[^>]*>)[^<]*', lambda found: found[1] + data, page))
    chromium.go("file://" + file)
    chromium.wait("window.dtracePage && dtracePage.cards.length === 10 && dtracePage.model.isOver")
    chromium.settled()

    # An average that is not there is a gap, and not 0: the line does not come down.
    check([3, 5], chromium.ask("""(() => {
        const picture = dtracePage.cards[0].picture, one = picture.series()[0];
        return picture.times().filter((time) => !one.values.has(time)).map((time) => time / 1e9);
    })()"""), "columns without a value")
    check("k0: no value", chromium.ask("(() => { const p = dtracePage.cards[0].picture; p.tell(3e9, {clientX: 5, clientY: 5}); return dtracePage.tooltip.box.children[1].textContent; })()"), "the tooltip of a gap")
    check("5 more keys, which only the table shows", chromium.ask("dtracePage.cards[0].card.querySelector('.legend').lastChild.textContent"), "keys without a line")
    # Colours of frames are named, where there are several, and a frame says what it is in words, too.
    flame = "dtracePage.cards[5].picture"
    check(["program", "inlined"], chromium.ask(f"[...{flame}.legend.children].map((one) => one.textContent)"), "the legend of a flame graph")
    check(["a`write", "1 of 101, 0.99 %", "inlined", "itself 1, 0.99 %"],
          chromium.ask(f"{flame}.describe({flame}.boxes.map((box) => box.node).find((node) => {flame}.name(node) === 'a`write'))"), "an inlined frame")
    # A table of events names the probe where there are several.
    for card, wanted in ((8, ["time", "cpu", "thread", "arg0"]), (9, ["time", "cpu", "thread", "probe", "arg0", "path"])):
        rows = chromium.ask(f"[...dtracePage.cards[{card}].card.querySelectorAll('.virtual .row')].map((row) => [...row.children].map((cell) => cell.textContent))")
        check([wanted, ["0", "7", *(["a:b:c:g", "42", PATH] if card == 9 else ["42"])]], [rows[0], rows[1][1:]], "a table of events")
    # Texts have the room that there is.
    check(True, chromium.ask("(() => { const one = dtracePage.cards[9].card.querySelector('.row:not(.top) .text'); return one.textContent.length > 40 && one.scrollWidth <= one.clientWidth; })()"),
          "a path is seen whole")
    # What is counted is a step as wide as its column: 7 in six seconds, 14 in two. A single column is an area, too.
    steps = chromium.ask(f"[0.1, 3, 5.9, 6.1, 7.9].map((second) => {COLOURED}(dtracePage.cards[4].picture, second * 1e9))")
    check([True] * 4, [steps[0] > 50, steps[0] == steps[1] == steps[2], steps[3] == steps[4], 1.8 < steps[3] / max(steps[0], 1) < 2.2], f"heights of steps: {steps}")
    told = "(() => { const p = dtracePage.cards[4].picture, c = p.surface.canvas.getBoundingClientRect(); p.hover({ clientX: c.left + dtracePage.axis.x(6.5e9, p.surface.width), clientY: c.top + 50 }); return [...dtracePage.tooltip.box.children].map((one) => one.textContent); })()"
    told = chromium.ask(told)
    check([True, "one: 14"], [bool(re.fullmatch(r"\S+ to \S+", told[0])), told[1]], f"the column in which the pointer is: {told}")
    chromium.ask("dtracePage.tooltip.hide()")
    check(["nothing was counted", False], chromium.ask("(() => { const p = dtracePage.cards[2].picture.info; return [p.textContent, p.hidden]; })()"), "a heat map of nothing")

    # Ten thousand characters: three lines of a table until a click, and as much as can be read in a tooltip.
    cell = "dtracePage.cards[1].card.querySelector('.long')"
    check([True, "(empty)"], chromium.ask(f"[{cell}.getBoundingClientRect().height < 80, dtracePage.cards[1].card.querySelectorAll('tbody tr')[1].firstChild.textContent]"), "a long cell, and an empty one")
    check([10_000, True], chromium.ask(f"(() => {{ const c = {cell}; c.click(); return [c.textContent.length, c.getBoundingClientRect().height > 300]; }})()"), "the cell after a click")
    chromium.ask(f"{cell}.click()")
    check("x" * 240 + "\u2026 (9760 more characters)", chromium.ask(f"(() => {{ dtracePage.tooltip.show({{clientX: 5, clientY: 5}}, ['x'.repeat(10000)]); return dtracePage.tooltip.box.textContent; }})()"), "a tooltip")
    chromium.ask("dtracePage.tooltip.hide()")

    # The values of a frame; percentiles name a bucket, and nothing is made up between its ends.
    flame = "dtracePage.cards[5].picture"
    chromium.ask(f"{flame}.surface.canvas.focus()")
    for key in ("ArrowDown", "ArrowDown"):
        chromium.key(key)
    check(["p50 256 ns to 511 ns, p90 1.024 us to 2.047 us, p99 1.024 us to 2.047 us, largest 1.024 us to 2.047 us", [["64 to 127 ns", "49"], ["256 to 511 ns", "1"],
           ["1024 to 2047 ns (1.024 us to 2.047 us)", "50"]]],
          chromium.ask(f"[{flame}.detail.querySelector('p').textContent, [...{flame}.detail.querySelectorAll('tr')].map((row) => [row.cells[0].textContent, row.cells[1].textContent])]"),
          "the values of read()")
    chromium.key("ArrowUp")
    check(4, chromium.ask(f"{flame}.detail.querySelectorAll('tr').length"), "the values of main()")
    heat = "dtracePage.cards[6].picture"
    chromium.ask(f"(() => {{ {heat}.selected = {{time: 4e9, bucket: 80}}; {heat}.draw(); }})()")
    check("of the column's 101: p50 1.024 us to 2.047 us, p90 1.024 us to 2.047 us, p99 1.024 us to 2.047 us, largest 2.048 us to 4.095 us",
          chromium.ask(f"{heat}.detail.querySelectorAll('p')[1].textContent"), "percentiles of a column")

    # Numbers that are near each other are in their order, as on an axis, until a person wants another one; and so after all is drawn again.
    cpus = "[...dtracePage.cards[7].card.querySelectorAll('tbody tr')].map((row) => row.cells[0].textContent).join()"
    check("0,1,2", chromium.ask(cpus), "CPUs")
    check("2,1,0", chromium.ask(f"(() => {{ dtracePage.cards[7].card.querySelectorAll('th button')[1].click(); dtracePage.draw(); return {cpus}; }})()"), "CPUs by their counts")
    check("1", chromium.ask("dtracePage.cards[7].picture.choices().sort"), "what was chosen")

    # Spans with the keyboard.
    chromium.ask("dtracePage.cards[3].picture.surface.canvas.focus()")
    info = "dtracePage.cards[3].picture.info.textContent"
    chromium.key("ArrowRight")
    check("6 spans in 2 lanes; 1 record ended what had not begun, 0 had not ended  \u00b7  s10 \u2013 500,000,000 ns (500 ms) \u2013 tid 1", chromium.ask(f"{info}.split(' \u2013 from')[0]"), "the first span")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        chromium.key(key)
    check(True, chromium.ask(f"{info}.includes('s20')"), "the span of the other lane: " + chromium.ask(info))
    chromium.key("Enter")
    check([2e9 - 125e6, 2.5e9 + 125e6 + 1], chromium.ask("dtracePage.axis.range"), "the range of a span")
    chromium.key("Escape")
    check(False, chromium.ask(f"{info}.includes('s20')"), "nothing is selected")
    chromium.key("Escape")
    # Columns of lines.
    chromium.ask("dtracePage.cards[0].picture.surface.canvas.focus()")
    for _ in range(3):
        chromium.key("ArrowLeft")
    check(["k0: 12,000", False], chromium.ask("[dtracePage.tooltip.box.children[1].textContent, dtracePage.tooltip.box.hidden]"), "the column of the sixth second")
    chromium.key("ArrowLeft")
    check("k0: no value", chromium.ask("dtracePage.tooltip.box.children[1].textContent"), "the column of the fifth second")

    # Letters on each hue have the contrast that WCAG 2 wants of them.
    low = chromium.ask("""(() => {
        const light = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((all, c, i) => all + c * [0.2126, 0.7152, 0.0722][i], 0.05);
        const picture = dtracePage.cards[3].picture, seen = [], g = picture.surface.g;
        for (const hue of ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#8a8f98"]) {
            const before = g.fillText;
            let ink = "";
            g.fillText = () => { ink = String(g.fillStyle); };
            picture.drawSpan(g, { name: "name", begin: 0, end: 1 }, 100, 300, 0, new Map([["name", hue]]), 1000);
            g.fillText = before;
            const a = light(hue), b = light(ink.length === 4 ? "#ffffff" : ink);
            seen.push([hue, Math.max(a, b) / Math.min(a, b)]);
        }
        return seen.filter((one) => one[1] < 4.5);
    })()""")
    check([], low, "contrast of names on spans")

    # A narrow window: words are not cut into letters, and nothing is wider than the window.
    chromium.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
    chromium.settled()
    check([True, True], chromium.ask("""[dtracePage.cards[1].card.querySelectorAll('tbody tr')[1].getBoundingClientRect().height < 40,
        document.documentElement.scrollWidth <= innerWidth]"""), "a table in a narrow window")
    check([], chromium.errors, "errors of the page")
if bad:
    sys.exit("\n".join(bad))
