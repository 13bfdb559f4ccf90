# -x listen in a real Chromium: what is counted while tracing comes to the page; a pause holds it; nothing but this server
# is asked; when tracing is over, the page says so.
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
from soundness import DTRACE  # noqa: E402

browser.find()
PATIENCE_S = 100
TARGET = """import sys, ctypes
call = ctypes.CDLL(None).syscall
for line in sys.stdin:
    for i in range(int(line)): call(39)
    print("done", flush=True)"""
SCRIPT = """int n; syscall::getpid:entry /pid == $target/ { @calls["<b>calls"] = count(); @sizes = quantize(n++); @stacks[ustack(1)] = count(); }
    syscall::getpid:entry /pid == $target && n % 10 == 0/ { printf("%d", n); }"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


target = subprocess.Popen([sys.executable, "-c", TARGET], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
errors = tempfile.NamedTemporaryFile("a")
run = subprocess.Popen([DTRACE, "-q", "-x", "listen", "-x", "aggrate=50ms", "-p", str(target.pid), "-n", SCRIPT],
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
COUNTED = "(() => { const a = dtracePage.model.aggregations.find((one) => one.name === '@calls'); let n = 0; if (a) for (const v of a.totals(null).values()) n += v; return n; })()"
with browser.Browser() as page:
    page.go(server + "/")
    page.wait("!!document.querySelector('.failure')")
    check("This address has no token: open the one that dtrace has printed.", page.ask("document.querySelector('.failure').textContent"), "no token")
    page.go("about:blank")
    page.go(address)
    page.wait("window.dtracePage && dtracePage.cards.length === 4")
    page.wait("dtracePage.model.end > 0")  # what is called until then is not traced
    call(1000)
    page.wait(f"{COUNTED} === 1000")
    page.settled()
    check("live", page.ask("document.querySelector('.badge').textContent"), "state")
    check("total 1,000", page.ask("[...document.querySelectorAll('.info')].find((e) => e.textContent.startsWith('total')).textContent"), "flame graph")
    page.wait("dtracePage.model.recordCount === 100")
    page.key(" ")
    call(500)
    page.wait("dtracePage.waiting.length > 0")
    check(1000, page.ask(COUNTED), "while it is paused")
    check(True, page.ask("document.querySelector('.badge').textContent").startswith("paused"), "state")
    page.key(" ")
    page.wait(f"{COUNTED} === 1500")
    # As a file: what the page offers is what the server has.
    saved = page.ask("fetch('/save', {headers: {Authorization: 'Bearer ' + dtracePage.token}}).then((a) => a.text())")
    run.send_signal(signal.SIGINT)
    page.wait("dtracePage.model.isOver")
    page.settled()
    check("ended", page.ask("document.querySelector('.badge').textContent"), "state at the end")
    rows = page.ask("[...document.querySelectorAll('tbody tr')].map((row) => [row.children[0].textContent, row.children[1].textContent])")
    check(True, ["<b>calls", "1,500"] in rows, f"the table {rows}")
    check(0, page.ask("document.querySelectorAll('main b').length"), "markup of names")
    check([], page.errors, "errors in the console")
    check([], page.log, "what the browser has refused")
    check(set(), {url for url in page.requests if not url.startswith((server + "/", "about:"))}, "foreign requests")
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(saved)
        file.flush()
        page.go("file://" + file.name)
        page.wait("window.dtracePage && dtracePage.cards.length === 4")
        check(1500, page.ask(COUNTED), "the saved page")
run.send_signal(signal.SIGINT)
check(0, run.wait(PATIENCE_S), "status")
target.stdin.close()
target.wait()
if bad:
    sys.exit("\n".join(bad))
