"""What pictures cost: drawing them in a browser, the size of the page and of recordings, replaying.
"""
import base64
import gzip
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from common import TOP, heading

sys.path.insert(0, str(TOP / "tests"))
DRAWS = 60
CALLS = 100_000


def line(name, value, unit, bar):
    print(f"{name:<58}{value:>10.1f} {unit:<5} (at most {bar})", flush=True)


def plan(aggregations, records, views):
    return {"v": 1, "type": "plan", "title": "bench", "host": "", "kernel": "", "start": "1700000000000000000",
            "aggregations": aggregations, "records": records, "views": views}


def heat(some):
    """600 columns of 100 buckets, ten keys."""
    yield plan([{"name": "@", "function": "quantize", "adds_up": True, "keys": [{"name": "execname", "type": "text"}], "unit": "ns"}], [],
               [{"kind": "heat", "title": "@", "aggregations": [0], "layouts": [], "ticks": ["tick-1s"], "unit": "ns"}])
    for key in range(10):
        yield {"v": 1, "type": "key", "aggregation": 0, "id": key, "values": [f"program{key}"]}
    yield {"v": 1, "type": "buckets", "aggregation": 0, "buckets": [[bucket, bucket * 10, bucket * 10 + 9] for bucket in range(100)]}
    for column in range(600):
        rows = [[key, [number for bucket in range(key, 100, 10) for number in (bucket, some.randrange(1, 1000))]] for key in range(10)]
        yield {"v": 1, "type": "column", "aggregation": 0, "time": (column + 1) * 10**9, "rows": rows}


def flame(some):
    """A flame graph of 200,000 frames."""
    yield plan([{"name": "@", "function": "count", "adds_up": True, "keys": [{"name": "stack()", "type": "stack"}]}], [],
               [{"kind": "flame", "title": "@", "aggregations": [0], "layouts": [], "ticks": []}])
    yield {"v": 1, "type": "frames", "first": 0, "frames": [[f"libc.so.6`function_{number}", "user"] for number in range(400)]}
    seen, rows = set(), []
    while len(seen) < 200_000:
        stack = [((some.randrange(3) if depth < 10 else some.randrange(400)) + 7 * depth) % 400 for depth in range(20)]
        seen.update(tuple(stack[:depth + 1]) for depth in range(20))
        number = len(rows)
        yield {"v": 1, "type": "stack", "id": number, "frames": stack}
        yield {"v": 1, "type": "key", "aggregation": 0, "id": number, "values": [number], "stack": number}
        rows.append([number, some.randrange(1, 100)])
    yield {"v": 1, "type": "column", "aggregation": 0, "time": 10**9, "rows": rows}


def spans(some):
    """A million spans on 40 lanes."""
    yield plan([], [{"layout": 0, "probe_count": 1, "probes": ["a:b:c:d"], "values": []}],
               [{"kind": "timeline", "title": "spans", "aggregations": [], "layouts": [0], "ticks": []}])
    for number in range(10**6):
        yield {"v": 1, "type": "span", "view": 0, "begin": number * 1000, "end": number * 1000 + some.randrange(100, 20000),
               "lane": f"tid {number % 40}", "name": f"call{some.randrange(60)}"}


PICTURE = "dtracePage.cards[0].picture"
DRAWN = [
    ("heat map of 600 x 100 cells with hues, a draw", heat, f"{PICTURE}.draw()", 4),
    ("the pointer moves over it", None, "(dtracePage.axis.cursor = 1e9 * i, dtracePage.axis.drawCursors())", 4),
    ("flame graph of 200,000 frames, zoom", flame,
     f"{PICTURE}.zoom(i % 2 ? [[...{PICTURE}.tree.children.keys()][i % 3]] : [])", 8),
    ("timeline of a million spans, pan over a third", spans, f"(dtracePage.axis.range = [i * 1e7, i * 1e7 + 3e8], {PICTURE}.draw())", 8),
    ("timeline of a million spans, all of them", None, f"(dtracePage.axis.range = null, {PICTURE}.draw())", 8),
]


def document(page, lines):
    """The page with other data."""
    text = "\n".join(json.dumps(one) for one in (*lines, {"v": 1, "type": "end", "time": 600 * 10**9, "status": 0}))
    data = base64.b64encode(gzip.compress(text.encode(), 1)).decode()
    return re.sub(r'(<script[^>]*id="data"[^>]*>)[^<]*', lambda found: found[1] + data, page)


def drawing(page, directory):
    import browser  # of tests/
    file = os.path.join(directory, "x.html")
    with browser.Browser() as chromium:
        chromium.call("Performance.enable", timeDomain="threadTicks")

        def cpu():
            return next(one["value"] for one in chromium.call("Performance.getMetrics")["metrics"] if one["name"] == "ThreadTime")
        for name, lines, act, bar in DRAWN:
            if lines:
                with open(file, "w") as out:
                    out.write(document(page, lines(random.Random(1))))
                chromium.go("about:blank")
                chromium.go("file://" + file)
                chromium.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
                chromium.settled()
            costs = {"0": [], act: []}
            for i in range(DRAWS):
                for what, took in costs.items():
                    before = cpu()
                    chromium.ask(f"(() => {{ const i = {i}; {what}; return 0; }})()")
                    took.append(1e3 * (cpu() - before))
            nothing, took = (sorted(one) for one in costs.values())
            line(name + ", median", max(0, took[DRAWS // 2] - nothing[DRAWS // 2]), "ms", bar)
            line(name + ", 95th percentile", max(0, took[DRAWS * 95 // 100] - nothing[DRAWS // 2]), "ms", bar)


def recordings(tools, directory):
    file = os.path.join(directory, "x.dtr")
    script = 'syscall::getppid:entry /pid == $target/ { printf("%d %s %d %s\\n", pid, execname, timestamp, probefunc); }'
    subprocess.run([tools.dtrace, "-q", "-x", "oformat=none", "-x", f"record={file}", "-x", "bufsize=64m", "-n", script, "-c", f"{tools.getppid} {CALLS}"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    jsonl = subprocess.run([tools.dtrace, "-r", file, "-x", "oformat=jsonl"], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    count = jsonl.count(b'"type":"record"')
    line(f"recording of {count:,} records, in 1/1000 of their JSON lines", 1000 * os.path.getsize(file) / len(jsonl), "", 25)
    before = os.times()
    subprocess.run([tools.dtrace, "-r", file], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"{'replayed as text':<58}{count / used:>10,.0f} records in a second of CPU time", flush=True)


def flames(tools):
    """Limits are what stackcollapse.pl and flamegraph.pl took for a tenth of these stacks, ten times: 1/50 of the time, 1/5 of the
    memory."""
    added, drawn, memory_kb, _ = map(int, subprocess.run([tools.flames], capture_output=True, check=True).stdout.split())
    line("flame graph of a million stacks of 20 frames, to SVG", (added + drawn) / 1000, "s", 5.4)
    line("its peak memory", memory_kb / 1024, "MB", 694)


def bench(tools):
    heading("pictures: CPU time of scripts for each draw, sizes")
    with tempfile.TemporaryDirectory() as directory:
        page = subprocess.run([tools.dtrace, "-r", str(TOP / "tests/recordings/v1.dtr"), "-x", "oformat=html"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True).stdout
        loaded = "".join(re.search(pattern, page, re.S)[1] for pattern in ("<style>(.*?)</style>", "</script>\\n<script>(.*?)</script>"))
        line("script and style of the page, gzip", len(gzip.compress(loaded.encode(), 9)) / 1000, "kB", 45)
        flames(tools)
        recordings(tools, directory)
        drawing(page, directory)
