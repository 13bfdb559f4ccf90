# A real Prometheus scrapes /metrics of -x listen while the script prints, clears and truncates: counters and histograms do not
# fall (resets() is 0), and what Prometheus has in the end is what the program is known to have done.
# @@timeout: 120
# @@host
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE  # noqa: E402

PROMETHEUS = shutil.which("prometheus")
if PROMETHEUS is None:
    print("there is no prometheus")
    sys.exit(77)
PATIENCE_S, SCRAPES, CALLS = 100, 40, 250
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def wait(condition, what):
    end = time.monotonic() + PATIENCE_S
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            sys.exit("\n".join(bad + [f"not within {PATIENCE_S} s: {what}"]))
        time.sleep(0.05)


with tempfile.TemporaryDirectory(prefix="scrape-") as directory, tempfile.NamedTemporaryFile("a") as said:
    target = subprocess.Popen([sys.executable, "-c", "import sys,ctypes\ng=ctypes.CDLL(None).syscall\nfor line in sys.stdin:\n  for i in range(int(line)): g(39)\n  print('done', flush=True)"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    run = subprocess.Popen([DTRACE, "-q", "-x", "listen", "-x", "aggrate=50ms", "-p", str(target.pid), "-n",
                            r'int n; syscall::getpid:entry /pid == $target/ { @calls["a\"b\\c\n;=\u00e4"] = count(); @sizes = quantize(n++ % 100); @sums[n % 3] = sum(7); }'
                            ' tick-30ms { printa(@calls); clear(@calls); } tick-70ms { printa(@sizes); trunc(@sizes); } tick-50ms { printa(@sums); clear(@sums); @ticks = count(); }'.replace("\\u00e4", "\u00e4")],
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)

    def address():
        return re.search(r"127\.0\.0\.1:(\d+)/#token=(\w+)", pathlib.Path(said.name).read_text())
    try:
        found = wait(lambda: run.poll() is not None or address(), "the address")
        port, token = found[1], found[2]
        with socket.create_server(("127.0.0.1", 0)) as free:
            own = free.getsockname()[1]
        config = os.path.join(directory, "prometheus.yml")
        with open(config, "w") as file:
            json.dump({"global": {"scrape_interval": "250ms", "scrape_timeout": "250ms"},
                       "scrape_configs": [{"job_name": "dtrace", "authorization": {"type": "Bearer", "credentials": token},
                                           "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]}]}, file)
        with open(os.path.join(directory, "log"), "w+") as log:
            server = subprocess.Popen([PROMETHEUS, f"--config.file={config}", f"--storage.tsdb.path={directory}/data", f"--web.listen-address=127.0.0.1:{own}"],
                                      stdin=subprocess.DEVNULL, stdout=log, stderr=log)

            def query(text):
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{own}/api/v1/query?" + urllib.parse.urlencode({"query": text}), timeout=PATIENCE_S) as answer:
                        return json.load(answer)["data"]["result"]
                except OSError:
                    return []

            def value(text):
                return [int(float(one["value"][1])) for one in query(text)]
            try:
                wait(lambda: value("dtrace_ticks_total"), "a scrape")
                for i in range(SCRAPES):
                    before = value("count_over_time(dtrace_ticks_total[10m])")[0]
                    target.stdin.write(f"{CALLS}\n")
                    target.stdin.flush()
                    target.stdout.readline()
                    wait(lambda: value("count_over_time(dtrace_ticks_total[10m])")[0] > before, "the next scrape")
                total = CALLS * SCRAPES
                # Each has a tick of its own.
                for name, wanted in (("dtrace_calls_total", total), ("dtrace_sizes_count", total), ("sum(dtrace_sums_total)", 7 * total)):
                    wait(lambda: value(name) == [wanted], f"{name} {wanted}; it is {value(name)}")  # noqa: B023
                for name in ("calls_total", "sizes_count", "sizes_bucket", "sums_total", "ticks_total", "drops_total"):
                    check([0], value(f"sum(resets(dtrace_{name}[10m]))"), f"how often {name} fell")
                check([0], value("sum(dtrace_drops_total)"), "drops")
                # Bounds are those of whole numbers: of 0 to 99, again and again, 64 are below 64.
                check([total * 64 // 100], value('dtrace_sizes_bucket{le="63"}'), "values up to 63")
                label = query("dtrace_calls_total")[0]["metric"]
                check(True, 'a"b\\c\n;=\u00e4' in label.values(), f"the label, whatever it has: {label}")
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(PATIENCE_S)
    finally:
        run.send_signal(signal.SIGTERM)
        run.wait(PATIENCE_S)
        target.stdin.close()
        target.wait(PATIENCE_S)
if bad:
    sys.exit("\n".join(bad))
