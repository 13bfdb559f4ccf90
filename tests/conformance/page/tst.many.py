# Many of a thing at once: samples in more cells of their map than a call takes arguments, more lines than that while the page
# is paused, and what a pixel of a timeline has of spans that are narrower than it, and of one among them that is wide.
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
MANY = 200_000
SPANS = 3000
FEW = 100
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def lines():
    view = {"aggregations": [], "ticks": []}
    yield {"v": 1, "type": "plan", "title": "many", "host": "", "kernel": "", "start": "1700000000000000000", "aggregations": [],
           "records": [{"layout": 0, "probe_count": 1, "probes": ["a:b:c:d"], "values": [{"name": "stack()", "type": "stack"}]},
                       {"layout": 1, "probe_count": 1, "probes": ["a:b:c:e"], "values": []}],
           "views": [{**view, "kind": "scope", "title": "samples", "layouts": [0]}, {**view, "kind": "timeline", "title": "spans", "layouts": [1]},
                     {**view, "kind": "timeline", "title": "few", "layouts": [1]}]}
    yield {"v": 1, "type": "frames", "first": 0, "frames": [["a`main", "user"]]}
    yield {"v": 1, "type": "stack", "id": 0, "frames": [0]}
    for number in range(MANY):
        yield {"v": 1, "type": "record", "layout": 0, "time": number * 20_000_000, "cpu": 0, "tid": 1, "probe": "a:b:c:d", "values": [0]}
    for number in range(SPANS):
        # Busy all the time, and half of it in the second half. No span begins where a pixel does. One lasts 400 s.
        begin = number * 10**9 + 123_456_789
        length = 400 * 10**9 if number == 1000 else 10**9 if number < SPANS / 2 else 5 * 10**8
        yield {"v": 1, "type": "span", "view": 1, "begin": begin, "end": begin + length, "lane": "cpu 0", "name": "x"}
    for number in range(FEW):
        begin = number * (MANY * 20_000_000 // FEW) + 30_000_000_000
        yield {"v": 1, "type": "span", "view": 2, "begin": begin, "end": begin + 100, "lane": "tid 1", "name": "x"}
    yield {"v": 1, "type": "end", "time": MANY * 20_000_000, "status": 0}


page = subprocess.run([DTRACE, "-r", os.path.join(os.environ["TESTS"], "recordings/v1.dtr"), "-x", "oformat=html"], stdin=subprocess.DEVNULL,
                      capture_output=True, text=True).stdout
data = base64.b64encode(gzip.compress("\n".join(map(json.dumps, lines())).encode(), 1)).decode()
with tempfile.TemporaryDirectory() as directory, browser.Browser() as chromium:
    file = os.path.join(directory, "x.html")
    with open(file, "w", encoding="utf-8") as out:
        out.write(re.sub(r'(<script[^>]*id="data"[^>]*>)[^<]*', lambda found: found[1] + data, page))
    chromium.go("file://" + file)
    chromium.wait("window.dtracePage && dtracePage.cards.length === 3 && dtracePage.model.isOver")
    chromium.settled()
    check(f"{MANY:,} samples; drag over a range, or click, to see its flame graph", chromium.ask("dtracePage.cards[0].picture.info.textContent"), "the samples")
    # Every span is counted once in its pixel, or drawn: their lengths by pixel, added up one by one, are those of the picture.
    wrong = chromium.ask("""(() => {
        const picture = dtracePage.cards[1].picture, out = [];
        for (const ratio of [1, 0.5, 1.5]) for (const range of [[0, 3e12], [5e11, 2e12], [1e12 + 1, 1e12 + 9e9], [15e8, 2000123456789]]) {
            dtracePage.axis.range = range;
            const row = picture.lanes()[0].rows[0], width = 1190, scale = (width - 90) * ratio / (range[1] - range[0]);
            const pixels = new Uint32Array(width * ratio), wide = [], colours = Array.from({ length: 8 }, () => Uint32Array.from({ length: 65 }, (_, i) => i + 1));
            while (colours.length < 16) colours.push(colours[0]);
            picture.drawBusy(pixels, row, 0, width, ratio, colours, wide);
            const parts = new Map(), drawn = [];
            for (const { begin, end } of row.spans) {
                if (end < range[0] || begin > range[1]) continue;
                if ((end - begin) * scale >= 1) { drawn.push(begin); continue; }
                const at = Math.max(76 * ratio, Math.min((width - 14) * ratio - 1, Math.floor(76 * ratio + (begin - range[0]) * scale)));
                parts.set(at, (parts.get(at) ?? 0) + end - begin);
            }
            if (String(drawn) !== String(wide.map((one) => one.span.begin))) out.push("wide ones " + wide.length + ", not " + drawn.length);
            pixels.forEach((pixel, at) => {
                const part = parts.get(at), wanted = part === undefined ? 0 : Math.min(1, part * scale) * 64 + 1;
                if (Math.abs(pixel - wanted) > 0.51) out.push([ratio, range[0], at, pixel, wanted].join(" "));
            });
        }
        dtracePage.axis.range = null;
        return out.slice(0, 5);
    })()""")
    check([], wrong, "how busy pixels are")
    # Each of some short spans far from each other is seen, whatever a pixel of the page is on the screen, in the light and in the dark.
    for ratio in (0.5, 1, 1.25, 2):
        for theme in ("light", "dark"):
            chromium.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
            chromium.call("Emulation.setDeviceMetricsOverride", width=round(1280 / min(1, ratio)), height=900, deviceScaleFactor=ratio, mobile=False)
            chromium.settled()
            seen = chromium.ask("""(() => {
                const picture = dtracePage.cards[2].picture, { canvas } = picture.surface, g = picture.surface.g, ratio = canvas.width / picture.surface.width;
                const line = g.getImageData(0, Math.round((picture.places[0].y + 8) * ratio), canvas.width, 1).data, found = [];
                // As WCAG 2 has it: 3 is what a sign needs beside its paper.
                const light = (at) => [0.2126, 0.7152, 0.0722].reduce((all, part, i) => {
                    const c = line[4 * at + i] / 255;
                    return all + part * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                }, 0.05);
                const paper = light(Math.round(76 * ratio) + 2);
                let least = Infinity, was = false;
                for (let at = Math.ceil(76 * ratio); at < Math.floor((canvas.width - 14 * ratio)); at++) {
                    const here = light(at), contrast = Math.max(here / paper, paper / here), is = contrast > 1.05;
                    if (is && !was) found.push(at);
                    if (is) least = Math.min(least, contrast);
                    was = is;
                }
                return [found.length, least];
            })()""")
            check(FEW, seen[0], f"short spans at {ratio} pixels, {theme}")
            check(True, seen[1] >= 1.9, f"contrast of a short span at {ratio} pixels, {theme}: {seen[1]}")
    check([True, MANY], chromium.ask(f"""(() => {{
        dtracePage.pause();
        dtracePage.take("\\n".repeat({MANY - 1}));
        return [dtracePage.isPaused, dtracePage.waiting.length];
    }})()"""), "lines that wait")
    check([], chromium.errors, "errors of the page")
if bad:
    sys.exit("\n".join(bad))
