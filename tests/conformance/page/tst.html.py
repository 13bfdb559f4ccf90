# What a person sees of -x oformat=html in a real Chromium: frames are as wide as their share, tooltips and details
# have the numbers that oformat=views has, names of all bytes are never markup, and the file asks nobody.
# @@timeout: 90
# @@host
import collections
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import browser  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402
from views import Views  # noqa: E402

browser.find()
CALLS = 3000
HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "\"'`${alert(1)}&lt;", "\u202egnp.exe", "x;y,z"]
EVERY = "".join(f"\\{byte:03o}" for byte in range(1, 256) if byte not in (0,))


def quoted(text):
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode()) + '"'


names = "".join(f"@names[{quoted(name)}] = sum({7 + i}); " for i, name in enumerate(HOSTILE))
SCRIPT = f"""int n; BEGIN {{ {names} @names["{EVERY}"] = sum(9007199254740993); }}
    syscall::getppid:entry /pid == $target/ {{ @stacks[n % 5, ustack(2)] = count(); @sizes[n % 3] = quantize(++n); @once = quantize(n); self->t = timestamp; }}
    syscall::getppid:return /self->t && n % 10 == 0/ {{ trace(timestamp - self->t); }}
    syscall::getppid:entry /pid == $target && n % 30 == 0/ {{ printf("%d %s", n, {quoted(HOSTILE[0])}); }}
    syscall::getppid:entry /pid == $target && n % 50 == 0/ {{ ustack(2); }}
    tick-20ms {{ printa(@sizes); @ticks = count(); printa(@ticks); }}"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def grouped(number):
    return f"{number:,}"


def flame(page, views):
    """Boxes against shares, and each tooltip against its exact number."""
    weights = collections.Counter()
    index = views.index("@stacks")
    for key, value in views.total("@stacks").items():
        at = next(line for (aggregation, _), line in views.keys.items() if aggregation == index and tuple(line["values"]) == key)
        path = ()
        weights[path] += value
        for frame, _ in views.stacks[at["stack"]]:
            path += (frame,)
            weights[path] += value
    card = next(i for i, view in enumerate(views.plan["views"]) if view["kind"] == "flame")
    boxes = json.loads(page.ask(f"""(() => {{ const f = dtracePage.cards[{card}].picture; return JSON.stringify({{width: f.surface.width,
        boxes: f.boxes.map((b) => ({{x: b.x, y: b.y, width: b.width, path: (() => {{ const p = []; for (let n = b.node; n.parent; n = n.parent) p.unshift(f.name(n)); return p; }})()}}))}}); }})()"""))
    width = boxes["width"]
    check(sorted(weights), sorted(tuple(box["path"]) for box in boxes["boxes"]), "frames")
    canvas = f"document.querySelectorAll('section.card')[{card}].querySelector('canvas')"
    for box in boxes["boxes"]:
        share = weights[tuple(box["path"])] / CALLS * width
        if abs(box["width"] - share) > 1:
            bad.append(f"{box} is not {share} wide")
    where = page.box("section.card:nth-of-type(%d) canvas" % (card + 1))
    for box in [one for one in boxes["boxes"] if one["width"] > 3][:8]:
        page.hover(where["x"] + box["x"] + box["width"] / 2, where["y"] + box["y"] + 9)
        text = page.ask("document.querySelector('.tooltip').innerText").split("\n")
        name = box["path"][-1] if box["path"] else "all"
        number = weights[tuple(box["path"])]
        check([name, f"{grouped(number)} of {grouped(CALLS)}, {100 * number / CALLS:.2f} %"], text[:2], "tooltip")
    # Zoom, and back.
    inner = next(box for box in boxes["boxes"] if len(box["path"]) == 1)
    page.click(where["x"] + inner["x"] + inner["width"] / 2, where["y"] + inner["y"] + 9)
    check(round(width), round(page.ask(f"dtracePage.cards[{card}].picture.boxes.find((b) => b.node.depth === 1).width")), "a frame that was clicked")
    page.ask(f"{canvas}.focus()")
    page.key("Escape")
    check(len(boxes["boxes"]), page.ask(f"dtracePage.cards[{card}].picture.boxes.length"), "frames after Escape")
    # Search: getppid's frames are all of it.
    page.key("/")
    for letter in "getppid":
        page.key(letter)
    text = page.ask(f"document.querySelectorAll('section.card')[{card}].querySelector('.info').textContent")
    check(True, f"matched {grouped(CALLS)}, 100.00 %" in text, f"search: {text}")
    page.key("Escape")


def heat(page, views):
    """Each cell of the picture: the numbers in its tooltip and in what a click shows."""
    index = views.index("@sizes")
    card = next(i for i, view in enumerate(views.plan["views"]) if view["kind"] == "heat")
    total = collections.Counter()
    for counts in views.total("@sizes").values():
        total.update(counts)
    seen = page.ask(f"""(() => {{ const h = dtracePage.cards[{card}].picture, out = {{}};
        for (const c of h.aggregation.columns) for (const [b, cell] of h.cells(c)) out[h.aggregation.bucketText(b)] = (out[h.aggregation.bucketText(b)] ?? 0) + cell.count;
        return out; }})()""")
    check({f"{low} to {high}" if low != high else str(low): count for (low, high), count in total.items()}, seen, "sums of the heat map")
    # The largest cell: where it is on the screen, and what is said there.
    spot = page.ask(f"""(() => {{ const h = dtracePage.cards[{card}].picture, axis = dtracePage.axis; let best = null;
        for (const c of h.aggregation.columns) for (const [b, cell] of h.cells(c)) if (!best || cell.count > best.count) best = {{c, b, count: cell.count}};
        const w = h.surface.width, i = h.place.buckets.indexOf(best.b);
        return {{x: (axis.x(best.c.since, w) + axis.x(best.c.time, w)) / 2, y: h.place.bottom - (i + 0.5) * h.place.row, count: best.count,
                 column: h.aggregation.columns.indexOf(best.c), range: h.aggregation.bucketText(best.b)}}; }})()""")
    where = page.box("section.card:nth-of-type(%d) canvas" % (card + 1))
    page.hover(where["x"] + spot["x"], where["y"] + spot["y"])
    text = page.ask("document.querySelector('.tooltip').innerText").split("\n")
    check((spot["range"], grouped(spot["count"])), (text[0], text[1].split(" until")[0]), "tooltip of a cell")
    page.click(where["x"] + spot["x"], where["y"] + spot["y"])
    low, high = (int(one) for one in (spot["range"].split(" to ") * 2)[:2])
    _, column = views.columns[index][spot["column"]]
    shares = sorted((counts[low, high] for counts in column.values() if (low, high) in counts), reverse=True)
    rows = page.ask(f"[...document.querySelectorAll('section.card')[{card}].querySelectorAll('.detail tr')].map((row) => row.children[1].textContent)")
    check([grouped(count) for count in shares], rows, "keys of a cell")
    check(spot["count"], sum(shares), "sum of a cell")


with tempfile.TemporaryDirectory(prefix="page-") as directory:
    recording, document = os.path.join(directory, "x.dtr"), os.path.join(directory, "x.html")
    run = subprocess.run([DTRACE, "-x", "oformat=html", "-o", document, "-x", f"record={recording}", "-x", "aggrate=50ms", "-x", "strsize=512",
                          "-n", SCRIPT, "-c", f"{workload('getppid')} {CALLS}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    replayed = subprocess.run([DTRACE, "-r", recording, "-x", "oformat=views"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    again = subprocess.run([DTRACE, "-r", recording, "-x", "oformat=html"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    check((0, 0, 0), (run.returncode, replayed.returncode, again.returncode), run.stderr + replayed.stderr)
    content = open(document, encoding="ascii", errors="strict").read() if os.path.exists(document) else ""
    check(content, again.stdout, "the document of a replay") if len(content) != len(again.stdout) else None
    if bad:
        sys.exit("\n".join(bad))
    views = Views(replayed.stdout)
    with browser.Browser() as page:
        page.go("file://" + document)
        page.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
        page.settled()
        check(len(views.plan["views"]), page.ask("document.querySelectorAll('section.card').length"), "cards")
        check("0 dropped", page.ask("document.querySelector('.badge.drops').textContent"), "drops")
        flame(page, views)
        heat(page, views)
        table = next(i for i, view in enumerate(views.plan["views"]) if view["kind"] == "table" and "@names" in view["title"])
        rows = page.ask(f"[...document.querySelectorAll('section.card')[{table}].querySelectorAll('tbody tr')].map((row) => [row.children[0].textContent, row.children[1].textContent])")
        check("9,007,199,254,740,993", rows[0][1], "a sum beyond 2^53")
        shown = {name.replace("\u202e", "\\u202e"): grouped(7 + i) for i, name in enumerate(HOSTILE)}
        check(shown, dict(rows[1:]), "hostile names")
        # No element came of any name: those that there are are the page's own.
        check(0, page.ask("document.querySelectorAll('img, iframe, object, embed, svg, main script, main style, main a, [onerror], [onload]').length"), "foreign elements")
        spans = [i for i, view in enumerate(views.plan["views"]) if view["kind"] == "timeline"]
        for card in spans:
            check(views.span_totals[card]["matched"], page.ask(f"dtracePage.model.spans.get({card}).length"), "spans")
        scope = next(i for i, view in enumerate(views.plan["views"]) if view["kind"] == "scope")
        check(str(CALLS // 50) + " samples", page.ask(f"document.querySelectorAll('section.card')[{scope}].querySelector('.info').textContent").split(";")[0], "samples")
        # A range of samples: the cells in it have what its flame graph has.
        where = page.box(f"section.card:nth-of-type({scope + 1}) canvas")
        at = page.ask(f"(() => {{ const s = dtracePage.cards[{scope}].picture, c = s.samples().map((one) => s.cell(one.time)).sort((a, b) => a - b)[0], "
                      "a = s.spot(c), b = s.spot(c + 1); return [a.x + 2, a.y + 2, b.x + 2, b.y + 2]; })()")
        layouts = {one["layout"] for one in views.plan["records"] if [field["type"] for field in one["values"]] == ["stack"]}
        sampled = [int(record["time"]) // 20_000_000 for record in views.records if record["layout"] in layouts]

        def samples_in(first, last, what):
            got = page.ask(f"(() => {{ const s = dtracePage.cards[{scope}].picture; return [...(s.range ?? []), s.flame.tree.total]; }})()")
            check([first, last, sum(first <= cell <= last for cell in sampled)], got, what)
        page.drag(where["x"] + at[0], where["y"] + at[1], where["x"] + at[2], where["y"] + at[3])
        samples_in(min(sampled), min(sampled) + 1, "samples of a range, and its flame graph")
        for wanted in (None, min(sampled)):
            page.click(where["x"] + at[0], where["y"] + at[1])
            if wanted is not None:
                samples_in(wanted, wanted, "samples of a cell, and its flame graph")
        page.click(where["x"] + at[0], where["y"] + at[1])
        page.ask("document.activeElement.blur()")
        # A range of time, in all pictures at once.
        heat_card = next(i for i, view in enumerate(views.plan["views"]) if view["kind"] == "heat")
        where = page.box("section.card:nth-of-type(%d) canvas" % (heat_card + 1))
        page.drag(where["x"] + 100, where["y"] + 40, where["x"] + where["width"] / 2, where["y"] + 40)
        low, high = page.ask("dtracePage.axis.range")
        wanted = sum(sum(counts.values()) for time, column in views.columns[views.index("@once")] if low < time <= high for counts in column.values())
        once = page.ask("(() => { const a = dtracePage.model.aggregations.find((one) => one.name === '@once'); let n = 0; for (const v of a.totals(dtracePage.axis.range).values()) for (const c of v.values()) n += c; return n; })()")
        check(wanted, once, "what was counted in a range")
        page.ask("document.activeElement.blur()")
        page.key("Escape")
        check(None, page.ask("dtracePage.axis.range"), "the range after Escape")
        # Numbers for those who do not see pictures, and names for all that can be reached.
        page.key("t")
        check(1, page.ask("document.querySelectorAll('.numbers table').length"), "t")
        check(0, page.ask("[...document.querySelectorAll('button, input, select, canvas')].filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.title || e.closest('label'))).length"), "elements without a name")
        check([], page.errors, "errors in the console")
        check([], [line for line in page.log if "ontent" in line], "what the policy has refused")
        check(["file://" + document], [url for url in page.requests if not url.startswith("blob:")], "requests")
        page.picture(os.path.join(os.environ["BUILD"], "page.png"))
        # A graph that begins with a function.
        within = subprocess.run([DTRACE, "-r", recording, "-x", "oformat=html", "-o", document, "-x", "view=@stacks:flame,root=main"],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        check(0, within.returncode, within.stderr)
        page.go("about:blank")
        page.go("file://" + document)
        page.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
        page.settled()
        check([CALLS, ["getppid`main"]], page.ask("(() => { const f = dtracePage.cards[0].picture; return [f.tree.total, [...f.tree.children.values()].map((n) => f.name(n))]; })()"),
              "a graph within main")
        check(True, "what main was doing; 0 elsewhere" in page.ask("document.querySelector('section.card .info').textContent"), "its note")
        # Sums below 0 make no areas; a key of nothing and an empty one are there, and have names.
        odd = subprocess.run([DTRACE, "-q", "-x", "oformat=html", "-o", document, "-n",
                              """tick-10ms { @a["up"] = sum(5); @a["down"] = sum(-7); @a[""] = sum(0); @b["up"] = sum(5); @b["down"] = sum(7); n++; }
                              tick-10ms { printa(@a); clear(@a); } tick-10ms { printa(@b); clear(@b); } tick-10ms /n == 10/ { exit(0); }"""],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        check(0, odd.returncode, odd.stderr)
        page.go("about:blank")
        page.go("file://" + document)
        page.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
        page.settled()
        check([["lines", ["(empty)", "down", "up"]], ["areas", ["down", "up"]]],
              page.ask("dtracePage.cards.map((card) => [card.picture.formChoice.value, card.picture.series().map((one) => one.label).sort()])"), "lines and areas")
if bad:
    sys.exit("\n".join(bad))
