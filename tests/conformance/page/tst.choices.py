# What a person chooses on the page is in its address: opened again, it shows the same. Numbers with a unit are shown as
# people say them, and exactly. A flame graph of a range is compared with the rest of the time, and that of a run with
# a recording.
# @@timeout: 90
# @@host
import collections
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import browser  # noqa: E402
from soundness import DTRACE  # noqa: E402
from views import Views  # noqa: E402

browser.find()
CALLS = 500
# Powers of two from 1 to 2^24, so buckets of all lengths, and sums that are known.
SCRIPT = """int n; tick-1ms /n < CALLS/ { @sizes[n % 3] = quantize(1 << (n % 25)); @stacks["NAME", n++ % 4, stack(1)] = count();
    @sums[n % 5] = sum(12345678); @calls = count(); } tick-1ms /n == CALLS/ { exit(0); }
    tick-20ms { printa(@sizes); clear(@sizes); @ticks = count(); } tick-20ms { printa(@ticks); }""".replace("CALLS", str(CALLS))
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def run(recording, name, *words):
    done = subprocess.run([DTRACE, "-x", f"record={recording}", "-x", "aggrate=20ms", "-x", "view=@sizes:heat,unit=ns", "-x", "view=@sums:table,unit=us",
                           *words, "-n", SCRIPT.replace("NAME", name)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    check(0, done.returncode, done.stderr)


def card(page, kind):
    return page.ask(f"dtracePage.cards.findIndex((one) => one.spec.kind === '{kind}')")


def shown(page):
    """What a person reads of it."""
    return page.ask("""[dtracePage.chosen(), document.querySelector('.range').textContent, ...document.querySelectorAll('.detail, .info, .legend, tbody, .program')]
        .map((one) => one.textContent ?? one).concat([...document.querySelectorAll('.narrow select')].map((one) => one.selectedOptions[0]?.textContent))""")


def units(page):
    heat, table = card(page, "heat"), card(page, "table")
    names = page.ask(f"""(() => {{ const h = dtracePage.cards[{heat}].picture, out = {{}};
        for (const [b, at] of h.aggregation.buckets) out[at.low] = [dtracePage.bucketName(h.aggregation, b, h.spec.unit), h.aggregation.bucketText(b, h.spec.unit)];
        return out; }})()""")
    for low, wanted in ((1, ["1 ns", "1 ns"]), (128, ["128 ns", "128 to 255 ns"]), (512, ["512 ns", "512 to 1023 ns (512 ns to 1.023 us)"]),
                        (1024, ["1.02 us", "1024 to 2047 ns (1.024 us to 2.047 us)"]),
                        (1 << 20, ["1.05 ms", "1048576 to 2097151 ns (1.049 ms to 2.097 ms)"]),
                        (1 << 24, ["16.8 ms", "16777216 to 33554431 ns (16.78 ms to 33.55 ms)"])):
        check(wanted, names.get(str(low)), f"the bucket from {low}")
    rows = page.ask(f"[...dtracePage.cards[{table}].body.querySelectorAll('tr')].map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent))")
    total = 12345678 * CALLS // 5
    check(("n % 5 \u25b4", "sum(), us", ["0", f"{total:,}", "20.6 min"]), (*rows[0][:2], rows[1]), "the table")


def spot(page, heat):
    """The largest cell, in pixels of the screen."""
    at = page.ask(f"""(() => {{ const h = dtracePage.cards[{heat}].picture, axis = dtracePage.axis; let best = null;
        for (const c of h.aggregation.columns) for (const [b, cell] of h.cells(c)) if (!best || cell.count > best.count) best = {{c, b, count: cell.count}};
        const w = h.surface.width, i = h.place.buckets.indexOf(best.b);
        return {{x: (axis.x(best.c.since, w) + axis.x(best.c.time, w)) / 2, y: h.place.bottom - (i + 0.5) * h.place.row, bucket: best.b, time: best.c.time}}; }})()""")
    where = page.box(f"section.card:nth-of-type({heat + 1}) canvas")
    return at, where["x"] + at["x"], where["y"] + at["y"]


def cell(page, views):
    """A click on a cell: its range and keys, exact; a key that is hidden is not counted."""
    heat = card(page, "heat")
    at, x, y = spot(page, heat)
    page.click(x, y)
    column = next(values for time, values in views.columns[views.index("@sizes")] if time == at["time"])
    low, high = views.buckets[views.index("@sizes"), at["bucket"]]
    wanted = {str(key): counts[low, high] for (key,), counts in column.items() if (low, high) in counts}

    def rows():
        return dict(page.ask(f"[...dtracePage.cards[{heat}].body.querySelectorAll('.detail tr')].map((row) => [row.children[0].textContent, Number(row.children[1].textContent.replaceAll(',', ''))])"))
    text = page.ask(f"dtracePage.cards[{heat}].body.querySelector('.detail p').textContent")
    check(wanted, rows(), "keys of a cell")
    check((True, True), (text.startswith(f"{low} to {high} ns" if low != high else f"{low} ns"), text.endswith(f": {sum(wanted.values()):,}")), f"its text {text}")
    key = next(iter(wanted))
    page.ask(f"[...dtracePage.cards[{heat}].body.querySelectorAll('.legend button')].find((one) => one.childNodes[2].textContent === '{key}').click()")
    page.settled()
    wanted.pop(key)
    check(wanted, rows(), "keys of a cell without one that is hidden")


def narrow(page, views):
    """The program of what is selected counts that, and nothing else."""
    heat, flame = card(page, "heat"), card(page, "flame")
    index = views.index("@sizes")
    bucket = page.ask(f"dtracePage.cards[{heat}].picture.selected.bucket")
    low, high = views.buckets[index, bucket]
    part = f"document.querySelectorAll('section.card')[{heat}].querySelector('.narrow')"
    page.ask(f"[...document.querySelectorAll('section.card')[{heat}].querySelectorAll('.kinds button')].find((one) => one.textContent === 'Narrow').click()")

    def program(at=part):
        return page.ask(at + ".querySelector('.program').textContent")

    def choose(label, option):
        page.ask(f"""(() => {{ const one = [...{part}.querySelectorAll('label')].find((e) => e.textContent.startsWith('{label} ')).querySelector('select');
            one.value = [...one.options].find((e) => e.textContent === '{option}').value; one.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")

    def counted(text):
        done = subprocess.run([DTRACE, "-q", "-x", "oformat=views", "-n", text], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        if done.returncode != 0 or not done.stdout:
            sys.exit(f"{text}: status {done.returncode}: {done.stderr}")
        return Views(done.stdout).total("@sizes")
    total = views.total("@sizes")
    check({key: {(low, high): counts[low, high]} for key, counts in total.items() if (low, high) in counts}, counted(program()), "the program of a cell")
    choose("n % 3", "2")
    check({(2,): {(low, high): total[2,][low, high]}} if (low, high) in total[2,] else {}, counted(program()), "the program of a cell and a key")
    choose("values", "any")
    choose("also by", "execname")
    check({(2, "dtrace"): total[2,]}, {(key[0], "dtrace"): counts for key, counts in counted(program()).items()}, "the program of a key, by another")
    page.ask(f"[...{part}.querySelectorAll('button')].find((one) => one.textContent === 'Copy').click()")
    page.wait(part + ".querySelector('[role=status]').textContent !== ''")
    # A key on the keyboard; the arrows select another cell, which the program follows.
    page.ask(f"dtracePage.cards[{heat}].picture.surface.canvas.focus()")
    page.key("ArrowUp")
    after = views.buckets[index, page.ask(f"dtracePage.cards[{heat}].picture.selected.bucket")]
    check(True, f"(int64_t)(1 << (n % 25)) <= {after[1]}" in program(), f"the program of the next cell, {after}: {program()}")
    page.key("n")
    check(None, page.ask(part), "what n has closed")
    # The statement of @stacks counts n up: it cannot be left out, and has one more key at most.
    page.ask(f"dtracePage.cards[{flame}].picture.surface.canvas.focus()")
    page.key("n")
    labels = page.ask(f"[...document.querySelectorAll('section.card')[{flame}].querySelectorAll('.narrow label')].map((one) => one.firstChild.textContent)")
    check(["also by "], labels, "what @stacks can be narrowed by")
    page.key("n")
    # What would hide or turn text is shown as such; a value is D's text, whatever it has.
    check(['"a\\042\\073\\012\\342\\200\\256\\303\\244"', "-12", None, None],
          page.ask("dtracePage.literal ? [dtracePage.literal('a\";\\n\\u202e\\u00e4', true), dtracePage.literal('-12', false), dtracePage.literal('1;x', false), dtracePage.literal('\\ufffd', true)] : []"), "values as D writes them")


def ranges(page, views):
    """Over half of a picture: sums are those of the columns in it, and what is compared are the others."""
    flame, heat = card(page, "flame"), card(page, "heat")
    where = page.box(f"section.card:nth-of-type({heat + 1}) canvas")
    page.drag(where["x"] + 90, where["y"] + 40, where["x"] + where["width"] / 2, where["y"] + 40)
    low, high = page.ask("dtracePage.axis.range")
    index = views.index("@stacks")
    inside, outside = collections.Counter(), collections.Counter()
    for time, column in views.columns[index]:
        for key, value in column.items():
            (inside if low < time <= high else outside)[str(key[1])] += value
    check(CALLS, sum(inside.values()) + sum(outside.values()), "all calls")
    check(True, sum(inside.values()) > 0 and sum(outside.values()) > 0, "calls within and without")
    page.ask(f"""(() => {{ const c = dtracePage.cards[{flame}].picture.compareChoice; c.value = 'rest'; c.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")
    page.settled()
    frames = page.ask(f"""(() => {{ const f = dtracePage.cards[{flame}].picture, out = {{}};
        for (const box of f.boxes) if (box.node.depth === 2) out[f.name(box.node)] = [box.node.total, f.inOther(box.node)?.total ?? 0, f.describe(box.node).at(-1)];
        return out; }})()""")
    for name, (own, other, text) in frames.items():
        check((inside[name], outside[name]), (own, other), f"frame {name}")
        change = 100 * own / sum(inside.values()) - 100 * other / sum(outside.values())
        check(True, text.startswith(f"rest {other:,} of {sum(outside.values()):,}, ") and text.endswith(f"({change:+.2f})"), f"{text} has {change:+.2f}")
    check(sorted(inside), sorted(frames), "frames")
    note = page.ask(f"dtracePage.cards[{flame}].body.querySelector('.info').textContent")
    check(True, "added from " in note, f"which columns: {note}")


def address(page, document):
    """All that was chosen, and more, is there when the address is opened again."""
    flame, table = card(page, "flame"), card(page, "table")
    where = page.box(f"section.card:nth-of-type({flame + 1}) canvas")
    box = page.ask(f"(() => {{ const b = dtracePage.cards[{flame}].picture.boxes.find((one) => one.node.depth === 2); return [b.x + b.width / 2, b.y + 9]; }})()")
    page.click(where["x"] + box[0], where["y"] + box[1])
    page.ask(f"dtracePage.cards[{flame}].picture.surface.canvas.focus()")
    for key in "iod":
        page.key(key)
    page.ask(f"dtracePage.cards[{table}].body.querySelector('th button').click()")
    hist = card(page, "line")
    page.ask(f"[...dtracePage.cards[{hist}].card.querySelectorAll('.kinds button')].find((one) => one.textContent === 'table').click()")
    page.ask(f"[...dtracePage.cards[{card(page, 'heat')}].card.querySelectorAll('.kinds button')].find((one) => one.textContent === 'Numbers').click()")
    # The program of a key, of a bucket, and by another key.
    heat = card(page, "heat")
    page.ask(f"document.querySelectorAll('section.card')[{heat}].querySelector('canvas').focus()")
    page.key("n")
    narrowed = f"document.querySelectorAll('section.card')[{heat}].querySelector('.narrow')"
    for label, option in (("n % 3", "1"), ("also by", "execname")):
        page.ask(f"""(() => {{ const one = [...{narrowed}.querySelectorAll('label')].find((e) => e.textContent.startsWith('{label} ')).querySelector('select');
            one.value = [...one.options].find((e) => e.textContent === '{option}').value; one.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")
    program = page.ask(narrowed + ".querySelector('.program').textContent")
    check((True, True, True), ("(n % 3) == 1" in program, "(int64_t)(1 << (n % 25)) <= " in program, ", execname] = " in program), f"what is narrowed: {program}")
    page.ask("document.activeElement.blur()")
    page.key("/")
    for letter in "2":
        page.key(letter)
    page.wait("location.hash === '#' + dtracePage.chosen()")
    page.settled()
    before, link = shown(page), page.ask("location.hash")
    for word in ("range=", "search=2", f"{flame}.focus=", f"{flame}.flip=1", f"{flame}.order=name", f"{flame}.compare=rest", f"{flame}.swap=1",
                 f"{table}.sort=0", ".kind=table", ".numbers=1", ".hidden=", ".cell=", f"{heat}.narrow=1", f"{heat}.narrow.bucket=", f"{heat}.narrow.by=execname", f"{heat}.narrow.key.0=1"):
        check(True, word in link, f"{word} in {link}")
    page.go("about:blank")
    page.go("file://" + document + link)
    page.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
    page.settled()
    page.settled()
    check(before, shown(page), "what the address shows")
    # Somebody else's address puts no text of its own into a program that a person may run.
    hostile = "system(\"id\")"
    page.ask(f"location.hash = '#{heat}.narrow=1&{heat}.narrow.by=' + encodeURIComponent({hostile!r}) + '&{heat}.narrow.key.0=' + encodeURIComponent('1) {hostile}; (1') + '&{heat}.narrow.key.7=1&{heat}.narrow.bucket=1e9'")
    page.wait("dtracePage.axis.range === null")
    page.settled()
    check(page.ask(f"(() => {{ const a = dtracePage.model.aggregations[dtracePage.cards[{heat}].spec.aggregations[0]]; let out = a.pieces[0]; a.uses.forEach((use, i) => {{ out += use.text + a.pieces[i + 1]; }}); return out; }})()"),
          page.ask(f"dtracePage.cards[{heat}].narrow.program"), "the program of a forged address")
    # Another address in the same page; nothing is left of the first.
    page.ask("location.hash = '#'")
    page.wait("dtracePage.axis.range === null && dtracePage.chosen() === ''")


with tempfile.TemporaryDirectory(prefix="page-") as directory:
    old, new, document = (os.path.join(directory, name) for name in ("old.dtr", "new.dtr", "x.html"))
    run(old, "gone", "-x", "oformat=none")
    run(new, "new", "-x", "oformat=html", "-o", document)
    replayed = subprocess.run([DTRACE, "-r", new, "-x", "oformat=views"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    compared = subprocess.run([DTRACE, "-r", new, "-x", "oformat=html", "-x", f"base={old}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    lines = subprocess.run([DTRACE, "-r", new, "-x", "oformat=views", "-x", f"base={old}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    check((0, 0, 0), (replayed.returncode, compared.returncode, lines.returncode), replayed.stderr + compared.stderr + lines.stderr)
    if bad:
        sys.exit("\n".join(bad))
    views = Views(replayed.stdout)
    base = next(line for line in Views(lines.stdout).lines if line["type"] == "base")
    check(CALLS, sum(value for _, value in base["rows"]), "the other recording in view lines")
    with browser.Browser() as page:
        page.go("file://" + document)
        page.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
        page.settled()
        check("", page.ask("dtracePage.chosen()"), "what is chosen at the start")
        units(page)
        cell(page, views)
        narrow(page, views)
        ranges(page, views)
        address(page, document)
        page.go("about:blank")
        with open(document, "w") as file:
            file.write(compared.stdout)
        page.go("file://" + document)
        page.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
        page.settled()
        flame = card(page, "flame")
        texts = f"dtracePage.cards[{flame}].picture.boxes.filter((b) => b.node.depth === 1).map((b) => dtracePage.cards[{flame}].picture.describe(b.node).at(-1))"
        check([f"before 0 of {CALLS:,}, 0.00 % (+100.00)"], page.ask(texts), "what is new")
        page.ask(f"dtracePage.cards[{flame}].picture.surface.canvas.focus()")
        page.key("d")
        check([f"now 0 of {CALLS:,}, 0.00 % (-100.00)"], page.ask(texts), "what is gone")
        colour = page.ask(f"(() => {{ const f = dtracePage.cards[{flame}].picture; return f.colour(f.boxes.find((b) => b.node.depth === 1).node); }})()")
        check("rgb(50,110,200)", colour, "colour of what is gone")
        check([], page.errors, "errors in the console")
        check([], page.log, "what the browser has refused")
if bad:
    sys.exit("\n".join(bad))
