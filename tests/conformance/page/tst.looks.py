"""What a person sees at a glance: the more there is, the further its colour is from the paper, light or dark; buckets are named as the
text names them; a second of samples goes upwards; lines are those of the highest averages; bars of numbers below 0 go the other way."""
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
HIGHEST = 5
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def lines():
    number = {"name": "k", "type": "number"}
    yield {"v": 1, "type": "plan", "title": "looks", "host": "", "kernel": "", "start": "1700000000000000000",
           "aggregations": [{"name": "@q", "function": "quantize", "adds_up": True, "keys": []},
                            {"name": "@a", "function": "avg", "adds_up": False, "keys": [number]},
                            {"name": "@s", "function": "sum", "adds_up": True, "keys": [number]},
                            {"name": "@l", "function": "lquantize", "adds_up": True, "keys": []}],
           "records": [{"layout": 0, "probe_count": 1, "probes": ["a:b:c:d"], "values": [{"name": "stack()", "type": "stack"}]}],
           "views": [{"kind": "heat", "title": "@q", "aggregations": [0], "layouts": [], "ticks": ["tick-1s"]},
                     {"kind": "line", "title": "@a", "aggregations": [1], "layouts": [], "ticks": ["tick-1s"]},
                     {"kind": "table", "title": "@s", "aggregations": [2], "layouts": [], "ticks": []},
                     {"kind": "heat", "title": "@l", "aggregations": [3], "layouts": [], "ticks": ["tick-1s"]},
                     {"kind": "scope", "title": "samples", "aggregations": [], "layouts": [0], "ticks": []}]}
    yield {"v": 1, "type": "frames", "first": 0, "frames": [["a`main", "user"]]}
    yield {"v": 1, "type": "stack", "id": 0, "frames": [0]}
    yield {"v": 1, "type": "key", "aggregation": 0, "id": 0, "values": []}
    yield {"v": 1, "type": "key", "aggregation": 3, "id": 0, "values": []}
    for key in range(12):
        for aggregation in (1, 2):
            yield {"v": 1, "type": "key", "aggregation": aggregation, "id": key, "values": [key]}
    yield {"v": 1, "type": "buckets", "aggregation": 0, "buckets": [[60, -7, -4], [61, -3, -2], [62, -1, -1], [63, 0, 0], [64, 1, 1], [65, 2, 3]]}
    yield {"v": 1, "type": "buckets", "aggregation": 3, "buckets": [[0, "-9223372036854775808", -21], [1, -20, -11], [2, -10, -1]]}
    # Of one key the average was high once; of the others it is higher at the end.
    for column in range(4):
        time = (column + 1) * SECOND
        yield {"v": 1, "type": "column", "aggregation": 0, "time": time, "rows": [[0, [60, 1, 61, 10, 65, 1000]]]}
        yield {"v": 1, "type": "column", "aggregation": 3, "time": time, "rows": [[0, [0, 1, 1, 1]]]}
        yield {"v": 1, "type": "column", "aggregation": 1, "time": time,
               "rows": [[key, 10**6 if (key, column) == (HIGHEST, 1) else 0 if key == HIGHEST else key + column] for key in range(12)]}
    yield {"v": 1, "type": "column", "aggregation": 2, "time": 4 * SECOND, "rows": [[0, 30], [1, -10], [2, 0]]}
    for sample in range(10):
        yield {"v": 1, "type": "record", "layout": 0, "time": SECOND + 500_000_000, "cpu": 0, "tid": 1, "probe": "a:b:c:d", "values": [0]}
    yield {"v": 1, "type": "record", "layout": 0, "time": 2 * SECOND, "cpu": 0, "tid": 1, "probe": "a:b:c:d", "values": [0]}
    yield {"v": 1, "type": "end", "time": 4 * SECOND, "status": 0}


def contrasts(page, card, spots):
    """How far the colours at places of a picture are from the paper."""
    return page.ask(f"""(() => {{
        const light = (c) => {{ const [r, g, b] = c.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }};
        const canvas = dtracePage.cards[{card}].picture.surface.canvas, ratio = canvas.width / canvas.clientWidth, g = canvas.getContext("2d");
        const paper = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
        const ground = light([1, 3, 5].map((i) => parseInt(paper.slice(i, i + 2), 16)));
        return {spots}.map(([x, y]) => {{ const at = light([...g.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data].slice(0, 3));
            return (Math.max(at, ground) + 0.05) / (Math.min(at, ground) + 0.05); }}); }})()""")


page = subprocess.run([DTRACE, "-r", os.path.join(os.environ["TESTS"], "recordings/v1.dtr"), "-x", "oformat=html"], stdin=subprocess.DEVNULL,
                      capture_output=True, text=True).stdout
data = base64.b64encode(gzip.compress("\n".join(map(json.dumps, lines())).encode(), 1)).decode()
with tempfile.TemporaryDirectory() as directory, browser.Browser() as chromium:
    file = os.path.join(directory, "x.html")
    with open(file, "w", encoding="utf-8") as out:
        out.write(re.sub(r'(<script[^>]*id="data"[^>]*>)[^<]*', lambda found: found[1] + data, page))
    for scheme in ("light", "dark"):
        chromium.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        chromium.go("file://" + file)
        chromium.wait("window.dtracePage && dtracePage.cards.length === 5 && dtracePage.model.isOver")
        chromium.settled()
        cells = chromium.ask("""(() => { const h = dtracePage.cards[0].picture, p = h.place, x = dtracePage.axis.x(5e8, h.surface.width);
            return [60, 61, 65].map((bucket) => [x, p.bottom - (p.buckets.indexOf(bucket) + 0.5) * p.row]); })()""")
        found = contrasts(chromium, 0, cells)
        if not found[0] < found[1] < found[2] or found[2] < 3:
            bad.append(f"{scheme}: contrasts of 1, 10 and 1000 in a cell are {found}")
        cells = chromium.ask("(() => { const s = dtracePage.cards[4].picture; return [s.cell(2e9), s.cell(15e8)].map((cell) => { const at = s.spot(cell); return [at.x + 3, at.y + 2]; }); })()")
        found = contrasts(chromium, 4, cells)
        if not found[0] < found[1] or found[1] < 3:
            bad.append(f"{scheme}: contrasts of 1 and 10 samples are {found}")
    labels = "[...dtracePage.cards[%d].picture.place.buckets].map((b) => dtracePage.cards[%d].picture.aggregation.bucketLabel(b))"
    check(["-4", "-2", "-1", "0", "1", "2"], chromium.ask(labels % (0, 0)), "names of buckets")
    check(["\u2264 -21", "-20"], chromium.ask(labels % (3, 3)), "names of buckets of equal width")
    check([True, True], chromium.ask("(() => { const s = dtracePage.cards[4].picture, low = s.spot(50), high = s.spot(60), box = s.surface.canvas.getBoundingClientRect();"
                                     "return [low.y > high.y, s.cellAt({ clientX: box.left + high.x + 2, clientY: box.top + high.y + 2 }) === 60]; })()"), "samples go upwards")
    check([str(HIGHEST), "11", "10", "9", "8", "7", "6"], chromium.ask("dtracePage.cards[1].picture.series().map((one) => one.label)"), "lines of averages")
    bars = chromium.ask("[...document.querySelectorAll('section.card')[2].querySelectorAll('.bar')].map((bar) => { const box = bar.getBoundingClientRect(); return [box.left, box.right]; })")
    above, below = max(bars, key=lambda bar: bar[1] - bar[0]), min(bars)
    check([True, True], [abs(below[1] - above[0]) < 1, abs(3 * (below[1] - below[0]) - (above[1] - above[0])) < 2], f"bars {bars}")
if bad:
    sys.exit("\n".join(bad))
