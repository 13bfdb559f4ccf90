"""Of an aggregation with more keys than a picture shows, the page and view lines have 10,000, and the others as one row: what was
counted is all there, by column, by bucket and as printed, live and of a recording; and the page shows it."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import browser  # noqa: E402
import views as lines  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

KEYS, MOST = 11_000, 10_000
SCRIPT = """int n; syscall::getppid:entry /pid == $target/ { n++; @calls[n, "a"] = sum(n); @calls[1, "a"] = sum(5); @sizes[n] = quantize(8);
    @last[n] = max(n); @ticks[n] = count(); } tick-50ms { printa(@ticks); clear(@ticks); }"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r:.300}, not {wanted!r:.300}")


validator, lines.VALIDATOR = lines.VALIDATOR, None


def replay(file, form):
    return subprocess.run([DTRACE, "-r", file, "-x", f"oformat={form}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
                          timeout=200).stdout


with tempfile.TemporaryDirectory(prefix="others-") as directory:
    file = os.path.join(directory, "x.dtr")
    options = ["-q", "-x", f"record={file}", "-x", "aggsize=64m", "-x", "oformat=views"]
    done = subprocess.run([DTRACE, *options, "-n", SCRIPT, "-c", f"{workload('getppid')} {KEYS}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
    check((0, ""), (done.returncode, done.stderr), "the run")
    for what, text in (("live", done.stdout), ("of a recording", replay(file, "views"))):
        views = lines.Views(text)
        if validator is not None:  # each of 80,000 lines takes a millisecond
            for key in (key for key in views.keys.values() if key.get("others")):
                check([], [flaw.message for flaw in validator.iter_errors(key)], "the schema")
        for name, whole in (("@calls", KEYS * (KEYS + 1) // 2 + 5 * KEYS), ("@sizes", KEYS), ("@ticks", KEYS)):
            total = views.total(name)
            check(MOST + 1, len(total), f"rows of {name} {what}")
            check(whole, sum(sum(value.values()) if isinstance(value, dict) else value for value in total.values()), f"{name} {what}")
            check(1, len([key for key in views.keys.values() if key["aggregation"] == views.index(name) and key.get("others")]), f"others of {name}")
        calls = views.total("@calls")
        check(1 + 5 * KEYS, calls[(1, "a")], f"a key with a row {what}")
        check(calls, views.rows[views.index("@calls")], f"as printed {what}")
        check(KEYS - MOST, sum(views.total("@sizes")[()].values()), f"values of others {what}")
        check(KEYS, len(views.rows[views.index("@last")]), f"extremes, which do not add up, {what}")
    # What is divided is their sum: each of the 1,000 values would be 0.
    small = "int n; syscall::getppid:entry /pid == $target/ { n++; @small[n] = sum(999); } END { normalize(@small, 1000); printa(@small); }"
    done = subprocess.run([DTRACE, "-q", "-x", "aggsize=64m", "-x", "oformat=views", "-n", small, "-c", f"{workload('getppid')} {KEYS}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=200)
    views = lines.Views(done.stdout)
    check(999 * (KEYS - MOST) // 1000, views.rows[views.index("@small")][()], "the others, divided")
    page = os.path.join(directory, "x.html")
    with open(page, "w") as out:
        out.write(replay(file, "html"))
    if bad:
        sys.exit("\n".join(bad))
    with browser.Browser() as chromium:
        chromium.go("file://" + page)
        chromium.wait("window.dtracePage && dtracePage.cards.length && dtracePage.model.isOver")
        chromium.settled()
        others = sum(range(MOST + 1, KEYS + 1))
        shown = chromium.ask("""dtracePage.cards.map((card) => card.picture).filter((one) => one.table)
            .map((one) => one.table().rows.filter((row) => row[0] === "(other)").map(String)).flat()""")
        if f"(other),,{others}" not in shown:
            bad.append(f"the page has {shown}")
        check([], chromium.errors, "errors of the page")
if bad:
    sys.exit("\n".join(bad))
