# --set listen of a script of the SystemTap language in a real Chromium: its variables are pictures that grow while it runs, what its
# timers delete stays counted, and names of the traced system are no markup.
# @@timeout: 90
# @@host
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
import browser  # noqa: E402

browser.find()
STAP = os.environ["STAP"]
PATIENCE_S = 100
TARGET = """import sys, ctypes
call = ctypes.CDLL(None).syscall
for line in sys.stdin:
    for i in range(int(line)): call(39)
    print("done", flush=True)"""
SCRIPT = """global calls, sizes, stacks, level, n
probe syscall.getpid { if (pid() != target()) next
  calls["<b>calls"]++ sizes <<< n++ % 100 stacks[ubacktrace()] <<< 1 level = n }
probe timer.ms(40) { foreach (k in calls) printf("%s\\n", k) delete calls printf("%d\\n", level) }
probe timer.ms(60) { if (@count(sizes)) { print(@hist_log(sizes)) println(@avg(sizes)) } delete sizes }"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


target = subprocess.Popen([sys.executable, "-c", TARGET], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
errors = tempfile.NamedTemporaryFile("a")
run = subprocess.Popen([STAP, "--set", "listen", "--set", "aggrate=50ms", "-x", str(target.pid), "-e", SCRIPT],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)


def said():
    return pathlib.Path(errors.name).read_text()  # reading moves no position of the writer


def call(count):
    target.stdin.write(f"{count}\n")
    target.stdin.flush()
    target.stdout.readline()


end = time.monotonic() + PATIENCE_S
while "token=" not in said():
    if time.monotonic() > end or run.poll() is not None:
        sys.exit(f"no address: {said()}")
    time.sleep(0.02)
address = re.search(r"http://\S+", said())[0]
server = address.partition("/#")[0]


def total(name):
    return (f"(() => {{ const a = dtracePage.model.aggregations.find((one) => one.name === '{name}');"
            " let n = 0; if (a) for (const v of a.totals(null).values()) n += typeof v === 'number' ? v : [...v.values()].reduce((x, y) => x + y, 0); return n; })()")


with browser.Browser() as page:
    page.go(address)
    page.wait("window.dtracePage && dtracePage.cards.length > 3")
    page.wait("dtracePage.model.end > 0")  # what is called until then is not traced
    call(1000)
    page.wait(f"{total('calls')} === 1000")
    page.wait(f"{total('stacks')} === 1000")
    call(500)
    page.wait(f"{total('calls')} === 1500")
    page.wait(f"{total('level')} === 1500")
    titles = page.ask("[...document.querySelectorAll('h2')].map((one) => one.textContent)")
    check(True, any("calls by key, a column at timer.ms(40)" in one for one in titles), f"titles {titles}")
    kinds = page.ask("dtracePage.model.views.map((one) => one.kind + ' ' + one.title.split(/[ ,;]/)[0])")
    check({"line calls", "heat sizes", "line sizes_count", "line sizes_avg", "flame stacks", "line level"}, set(kinds), "kinds of pictures")
    run.send_signal(signal.SIGINT)
    page.wait("dtracePage.model.isOver")
    page.settled()
    check(1500, page.ask(total("calls")), "calls at the end")
    check(0, page.ask("document.querySelectorAll('main b').length"), "markup of names")
    check([], page.errors, "errors in the console")
    check([], page.log, "what the browser has refused")
    check(set(), {url for url in page.requests if not url.startswith((server + "/", "about:"))}, "foreign requests")
    if os.environ.get("DT_SCREENSHOT"):
        page.picture(os.environ["DT_SCREENSHOT"])
run.send_signal(signal.SIGINT)
check(0, run.wait(PATIENCE_S), "status")
target.stdin.close()
target.wait()
if bad:
    sys.exit("\n".join(bad))
