# Pictures of a script's variables that are made while it runs (--set oformat=views, html, term, listen, push): what is counted is
# whole, though handlers delete it; what may fall is a value of now; --set view= chooses; a page is served, and its /metrics do not fall.
# @@timeout: 90
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

STAP = os.environ["STAP"]
PATIENCE_S = 100
CALLS = 4000
bad = []
CALLER = f"python3 -c 'import ctypes; g = ctypes.CDLL(None).syscall; [g(39) for i in range({CALLS})]'"


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, **options)


def lines_of(done, what):
    if done.returncode != 0:
        bad.append(f"{what}: {done}")
        return []
    return [json.loads(line) for line in done.stdout.splitlines()]


class Views:
    def __init__(self, lines):
        if not lines:
            sys.exit("\n".join(bad))
        self.plan = lines[0]
        self.names = [one["name"] for one in self.plan["aggregations"]]
        self.views = [(one["kind"], one["title"]) for one in self.plan["views"]]
        self.lines = lines

    def of(self, name, kind="column"):
        number = self.names.index(name)
        return [line for line in self.lines if line["type"] == kind and line.get("aggregation") == number]

    def total(self, name):
        return sum(value for line in self.of(name) for _, value in line["rows"])


# What events add in the kernel and a timer prints and deletes: sums of columns are what was called.
script = """global calls, sizes, n, last = 7, here
probe syscall.getpid { if (pid() != target()) next
  calls[execname()]++ sizes <<< n++ % 16 last = n }
probe timer.ms(20) { foreach (k in calls) printf("%s %d\\n", k, calls[k]) delete calls here += 2 }
probe timer.ms(70) { printf("%d %d\\n", @count(sizes), last) if (@count(sizes)) print(@hist_log(sizes)) delete sizes }
probe end { if (@count(sizes)) printf("%d", @max(sizes)) delete sizes }"""
# Timers fire while it sleeps, however fast it calls.
done = run(STAP, "--set", "oformat=views", "-e", script, "-c", f"{CALLER[:-1]}; __import__(\"time\").sleep(0.2)'")
views = Views(lines_of(done, "views"))
check(CALLS, views.total("calls"), "calls")
check(CALLS, views.total("sizes_count"), "values")
buckets = {}
for line in views.of("sizes"):
    for _, words in line["rows"]:
        for bucket, count in zip(words[::2], words[1::2]):
            buckets[bucket] = buckets.get(bucket, 0) + count
check([CALLS * part // 16 for part in (1, 1, 2, 4, 8)], [buckets[one] for one in sorted(buckets)], "the histogram")
check(True, all(value >= 0 for line in views.of("calls") for _, value in line["rows"]), "nothing is taken back")
plan = {one["name"]: one for one in views.plan["aggregations"]}
check((True, True, False, True), tuple(plan[one]["adds_up"] for one in ("calls", "sizes", "last", "here")), "what adds up")
check([], [one for one in views.of("last") for _, value in one["rows"] if not 0 <= value <= CALLS], "a value of now")
check(CALLS, views.of("last", "rows")[0]["rows"][0][1], "its last value")
check({("line", "calls by key, a column at timer.ms(20)"), ("heat", "sizes, a column at timer.ms(70)"),
       ("line", "sizes_count, a column at timer.ms(70)"), ("line", "last, a column at timer.ms(70)"),
       ("line", "sizes_max, a column at timer.ms(70)"), ("table", "here")} - set(views.views), set(), f"the views {views.views}")
check(0, views.total("here") % 2, "what a timer adds itself")
check(True, views.total("here") > 0, "what a timer adds itself")

# The same at home, where arrays have no room in the kernel.
done = run(STAP, "-D", "STAP_HOME=1", "--set", "oformat=views", "-e", script, "-c", CALLER)
views = Views(lines_of(done, "at home"))
check((CALLS, CALLS), (views.total("calls"), views.total("sizes_count")), "calls at home")

# What no timer prints is read now and then, and at the end.
done = run(STAP, "--set", "oformat=views", "--set", "aggrate=30ms", "-e",
           'global a, s, t probe syscall.getpid { if (pid() == target()) { a[ubacktrace()]++ s <<< 3 t = "text" } }', "-c", CALLER)
views = Views(lines_of(done, "unread"))
check((CALLS, CALLS, 3 * CALLS), (views.total("a"), views.total("s_count"), views.total("s_sum")), "unread variables")
check([("flame", "a by key"), ("hist", "s")], views.views[:2], "pictures of unread variables")
check(True, any("`" in frame for line in views.lines if line["type"] == "frames" for frame, _ in line["frames"]), "frames have names")

# Views are chosen, and those that there are are named.
begin = ("--set", "oformat=views", "-e", "global n, s probe timer.ms(10) { n++ s <<< n if (n > 9) exit() } probe timer.ms(25) { if (n) println(@avg(s)) }")
for hint, first in (("n:table", "table"), ("s:heat", "heat"), ("s:hist", "hist"), ("@s_avg:line", "line"), ("s:line", "line")):
    chosen = Views(lines_of(run(STAP, "--set", f"view={hint}", *begin), hint))
    check(first, chosen.views[0][0], hint)
    check(hint in ("s:heat", "s:hist"), "s" in chosen.names, f"whether there is a histogram: {hint}")
check([], [one for one in Views(lines_of(run(STAP, "--set", "view=s:none", *begin), "none")).views if one[1].startswith("s")], "view=s:none")
for hint, wanted in (("m:table", "view: there is no picture of m"), ("n:heat", "view: there can be no heat of n"), ("n:flame", "view: there can be no flame of n"),
                     ("none", "view: there is no picture")):
    refused = run(STAP, "--set", f"view={hint}", *begin)
    check((1, True, True, ""), (refused.returncode, wanted in refused.stderr, "hint: the views that there are: " in refused.stderr
                                and "s_avg, a column at timer.ms(25)" in refused.stderr, refused.stdout), f"view={hint}: {refused.stderr}")

# Pictures at the end, of what --set view= names though a handler reads it; text has no more variables than before.
read = "global n, s probe begin { n[1] += 2 n[2] += 3 s <<< 8 println(n[1], @count(s)) exit() }"
with tempfile.TemporaryDirectory(prefix="views-") as directory:
    file = os.path.join(directory, "recording")
    named = run(STAP, "--set", "oformat=csv", "--set", "view=n:table", "--set", f"record={file}", "-e", read)
    check((0, True), (named.returncode, {"key,n,drops", "1,2,0", "2,3,0"} <= set(named.stdout.splitlines())), f"a variable that is read: {named}")
    check("21\n", run(STAP, "-r", file).stdout, "the text of its recording")
    check(named.stdout, run(STAP, "-r", file, "--set", "oformat=csv").stdout, "the table of its recording")
    histogram = run(STAP, "--set", "oformat=svg", "--set", "view=s:hist", "-e", read)
    check((0, True), (histogram.returncode, "8" in histogram.stdout and "<svg" in histogram.stdout), f"a histogram at the end: {histogram.stderr}")

    # What a timer deletes has a histogram of what is left, and all functions; the sum is of the same variable.
    left = "global sizes, g probe begin { g = 1000 for (i = 1; i <= 4; i++) sizes <<< i } probe timer.ms(20) { println(g) exit() } probe timer.s(90) { print(@count(sizes)) delete sizes }"
    text = run(STAP, "--set", "oformat=prometheus", "--set", "view=sizes:hist", "--set", "view=g:table", "-e", left)
    check((0, {"dtrace_sizes_count 4", "dtrace_sizes_sum 10", "dtrace_sizes_max 4"}),
          (text.returncode, {"dtrace_sizes_count 4", "dtrace_sizes_sum 10", "dtrace_sizes_max 4"} & set(text.stdout.splitlines())), f"what is left: {text}")
    picture = run(STAP, "--set", "oformat=svg", "--set", "view=sizes:hist", "-e", left)
    check((0, False), (picture.returncode, "nothing was recorded" in picture.stdout), "the picture of what is left")

    # A page of a recording.
    page = os.path.join(directory, "page.html")
    check(0, run(STAP, "-r", file, "--set", "oformat=html", "-o", page).returncode, "html of a recording")
    check(Views(lines_of(run(STAP, "-r", file, "--set", "oformat=views"), "views of a recording")).total("n"), 5, "views of a recording")

# On a terminal, a line for each tick; together they are all.
term = run(STAP, "--set", "oformat=term", "-e", "global n probe syscall.getpid { if (pid() == target()) n++ } probe timer.ms(20) { println(n) delete n }", "-c", CALLER)
rows = re.findall(r"^(?:\d\d:\d\d:\d\d\.\d{3}|end) +n (\d+)", term.stdout, re.M)
check((0, CALLS), (term.returncode, sum(map(int, rows))), f"lines of a terminal: {term}")
once = run(STAP, "--set", "oformat=term", "-e", "global n = 5 probe timer.ms(20) { println(n) n = 0 exit() } probe never { n++ }")
check(1, len(re.findall(r"^\d\d:\d\d:\d\d\.\d{3} +n ", once.stdout, re.M)), f"a tick makes one line: {once}")

# Nothing to show.
for form in (("oformat=term",), ("listen",), ("oformat=html",), ("push=http://127.0.0.1:1/v1/metrics",)):
    refused = run(STAP, *(word for one in form for word in ("--set", one)), "-e", 'global t probe begin { t = "x" exit() }')
    check((1, True, ""), (refused.returncode, f"{form[0].partition('=http')[0]} needs a global variable with numbers" in refused.stderr, refused.stdout), f"{form}: {refused}")
refused = run(STAP, "--set", "base=x", "-e", "probe begin { exit() }")
check(True, "option 'base' means nothing in the SystemTap language" in refused.stderr, f"base: {refused}")

# The page: what it serves needs the token; counters of /metrics do not fall when a handler deletes, and gauges say that they may.
metrics_script = """global calls, sizes, level
probe syscall.getpid { if (pid() != target()) next
  calls["a"]++ sizes <<< 1 }
probe timer.ms(30) { printf("%d", calls["a"]) delete calls level = level > 5 ? 0 : level + 1 }
probe timer.ms(40) { printf("%d %d", @count(sizes), level) if (@count(sizes)) print(@hist_log(sizes)) delete sizes }"""
ROUNDS = 8
target = subprocess.Popen([sys.executable, "-c", "import sys,ctypes\ng=ctypes.CDLL(None).syscall\nfor line in sys.stdin:\n  for i in range(int(line)): g(39)\n  print('done', flush=True)"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
with tempfile.NamedTemporaryFile("a") as written:  # read through a descriptor of its own: reading moves no position of the writer
    server = subprocess.Popen([STAP, "--set", "listen", "--set", "aggrate=50ms", "-x", str(target.pid), "-e", metrics_script],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=written)

    def said():
        return pathlib.Path(written.name).read_text()

    def address():
        return re.search(r"the page is at (http://127\.0\.0\.1:\d+)/#token=(\w+)", said())

    def wait(condition, what):
        end = time.monotonic() + PATIENCE_S
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end or server.poll() is not None:
                sys.exit("\n".join(bad + [f"not within {PATIENCE_S} s: {what}; {said()}"]))
            time.sleep(0.02)

    def metrics():
        request = urllib.request.Request(found[1] + "/metrics", headers={"Authorization": "Bearer " + found[2]})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError:  # there are none yet
            return {}, {}
        types = dict(line.split()[2:] for line in text.splitlines() if line.startswith("# TYPE "))
        values = {line.rpartition(" ")[0].split("{")[0]: float(line.rpartition(" ")[2]) for line in text.splitlines() if line and line[0] != "#"}
        return types, values

    try:
        found = wait(address, "the address")
        wait(lambda: "dtrace_level" in metrics()[1], "a look at the variables")
        before = {}
        for i in range(1, ROUNDS + 1):
            target.stdin.write("100\n")
            target.stdin.flush()
            target.stdout.readline()

            def arrived(calls=100 * i):
                types, values = metrics()
                for name, value in values.items():
                    if types.get(name) == "counter" and value < before.get(name, 0):
                        bad.append(f"{name} falls to {value} from {before[name]}")
                before.update(values)
                return values.get("dtrace_calls_total") == calls and values.get("dtrace_sizes_count_total") == calls
            wait(arrived, f"{100 * i} calls; there are {before}")
        types, values = metrics()
        check(("counter", "counter", "histogram", "gauge"), tuple(types.get("dtrace_" + one) for one in ("calls_total", "sizes_count_total", "sizes", "level")), "kinds of metrics")
        check(True, 0 <= values["dtrace_level"] <= 6, "the gauge")
        check(100 * ROUNDS, values["dtrace_sizes_count"], "values of the histogram")
        server.send_signal(signal.SIGINT)
        wait(lambda: "tracing is over; the page stays until Ctrl-C" in said(), "the end")
        check(100 * ROUNDS, metrics()[1]["dtrace_calls_total"], "the page when tracing is over")
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE_S)
        target.stdin.close()
        target.wait(PATIENCE_S)
    check(0, server.returncode, "status")
for one in bad:
    print(one)
print(f"{len(bad)} differences")
sys.exit(1 if bad else 0)
