# --set oformat=: the variables that are shown at the end as flame graphs, tables and metrics, live and of a recording.
import csv
import json
import os
import subprocess
import sys
import tempfile

STAP, DTRACE = os.environ["STAP"], os.environ["DTRACE"]
bad = []
COUNTS = """global n, sizes, last, total = 5 probe begin { total += 2 }
probe syscall.openat { if (pid() != target()) next
  n[execname(), "a\\"b"]++ sizes[execname()] <<< 4 sizes[execname()] <<< -6 last = execname() }"""
STACKS = """global s, k
probe syscall.openat { if (pid() != target()) next
  s[execname(), ubacktrace()] <<< 3 k[sprint_backtrace()]++ println("said") }"""


def check(what, is_so, found=""):
    if not is_so:
        bad.append(f"{what}: {found}")


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)


with tempfile.TemporaryDirectory(prefix="pictures-") as directory:
    file = os.path.join(directory, "counts")
    plain = run(STAP, "--set", f"record={file}", "-e", COUNTS, "-c", "cat /dev/null")
    opens = int(plain.stdout.split("=", 1)[1].split()[0])
    check("variables", f'n["cat","a\\"b"]={opens}\n' in plain.stdout and opens > 2, plain)

    def of_counts(form, *command):
        done = run(*(command or (STAP, "-r", file, "--set", f"oformat={form}")))
        check(f"{form}", done.returncode == 0 and done.stdout, done)
        check("a text is said", "a text is left out" in done.stderr, done.stderr)
        return done.stdout

    rows = list(csv.reader(of_counts("csv").splitlines()))
    check("csv", ["cat", 'a"b', str(opens), "0"] in rows and ["key1", "key2", "n", "drops"] in rows, rows)
    check("csv of a number", ["total", "drops"] in rows and ["7", "0"] in rows, rows)
    sums = rows.index(["key", "sizes_sum", "drops"]) if ["key", "sizes_sum", "drops"] in rows else -2
    check("csv of a sum", rows[sums + 1] == ["cat", str(-2 * opens), "0"], rows)
    check("csv of D's command", of_counts("csv", DTRACE, "-r", file, "-x", "oformat=csv") == of_counts("csv"))
    live = of_counts("csv", STAP, "--set", "oformat=csv", "-e", COUNTS, "-c", "cat /dev/null")
    check("live", live == of_counts("csv"), live)
    metrics = of_counts("prometheus").splitlines()
    check("prometheus", any("cat" in line and line.endswith(f" {opens}") for line in metrics), metrics)
    check("json", str(opens) in of_counts("json") and json.loads(of_counts("json")), of_counts("json"))
    for form, begin in (("svg", "<svg"), ("html", "<!DOCTYPE html>"), ("term", "")):
        text = of_counts(form)
        check(form, begin.lower() in text[:200].lower(), text[:200])
    for form in ("folded", "speedscope"):
        refused = run(STAP, "-r", file, "--set", f"oformat={form}")
        check(form, refused.returncode == 1 and f"oformat={form} needs a global variable with backtrace() or ubacktrace()" in refused.stderr, refused)

    # Stacks.
    stacks = os.path.join(directory, "stacks")
    live = run(STAP, "--set", "oformat=folded", "--set", f"record={stacks}", "-e", STACKS, "-c", "cat /dev/null")
    folded = [line.rsplit(" ", 1) for line in live.stdout.splitlines()]
    check("folded", live.returncode == 0 and folded and sum(int(count) for _, count in folded) == 3 * opens, live)
    check("its frames", all(names.startswith("cat;") and "`" in names and names.count(";") > 1 for names, _ in folded), live.stdout)
    check("folded of a recording", run(STAP, "-r", stacks, "--set", "oformat=folded").stdout == live.stdout)
    check("text of a recording", run(STAP, "-r", stacks).stdout.startswith("said\n"))
    scope = json.loads(run(STAP, "-r", stacks, "--set", "oformat=speedscope").stdout)
    totals = sorted(sum(profile["weights"]) for profile in scope["profiles"])
    check("speedscope", totals == [opens, 3 * opens], totals)
    frames = {frame["name"] for frame in scope["shared"]["frames"]}
    check("frames of the kernel", any(name.startswith("vmlinux`") for name in frames), frames)
    check("svg", "<svg" in run(STAP, "-r", stacks, "--set", "oformat=svg").stdout)

    # Metrics: what is only added to is a counter, and what is set or falls a gauge.
    kinds = os.path.join(directory, "kinds")
    script = '''global up, sum, set = 1, down, gone, less, stat, dropped probe begin { up++ sum += 5 sum++ set = 3 down-- gone["x"]++ gone["y"]++
      delete gone["x"] less += -2 stat <<< 4 dropped["k"] <<< 1 dropped["j"] <<< 2 delete dropped["k"] exit() }'''
    live = run(STAP, "--set", "oformat=prometheus", "--set", f"record={kinds}", "-e", script)
    wanted = {"up_total": ("counter", "1"), "sum_total": ("counter", "6"), "set": ("gauge", "3"), "down": ("gauge", "-1"),
              "gone": ("gauge", "1"), "less": ("gauge", "-2"), "stat_count_total": ("counter", "1"), "stat_sum_total": ("counter", "4"),
              "stat_min": ("gauge", "4"), "stat_max": ("gauge", "4"), "stat_avg": ("gauge", "4"),
              "dropped_count": ("gauge", "1"), "dropped_sum": ("gauge", "2"), "dropped_min": ("gauge", "2"),
              "dropped_max": ("gauge", "2"), "dropped_avg": ("gauge", "2")}
    types = dict(line.split()[2:] for line in live.stdout.splitlines() if line.startswith("# TYPE "))
    values = {line.split("{")[0].split()[0]: line.split()[-1] for line in live.stdout.splitlines() if not line.startswith("#")}
    found = {name[len("dtrace_"):]: (kind, values.get(name)) for name, kind in types.items() if "drop" not in name or "dropped_" in name}
    found.pop("series_dropped_total", None)
    check("kinds of metrics", found == wanted and "restart" not in live.stderr, (found, live.stderr))
    check("kinds of a recording", run(STAP, "-r", kinds, "--set", "oformat=prometheus").stdout == live.stdout)
    check("graphite", "dtrace.set 3 " in run(STAP, "-r", kinds, "--set", "oformat=graphite").stdout)

    # One long key makes a table as wide as that: what would need too much memory is refused, and the recording has it.
    wide = os.path.join(directory, "wide")
    script = 'global a probe begin { for (i = 0; i < 69000; i++) a[i, i == 7 ? sprintf("%4000d", 1) : ""] = 1 exit() }'
    large = ("-D", "MAXSTRINGLEN=4096", "-D", "MAXMAPENTRIES=70000", "-D", "MAXACTION_INTERRUPTIBLE=10000000")
    refused = run(STAP, *large, "--set", "oformat=csv", "--set", f"record={wide}", "-e", script)
    check("too wide", refused.returncode == 1 and "oformat=csv needs too much memory: the keys of the variables" in refused.stderr
          and refused.stdout == "", (refused.returncode, refused.stderr, refused.stdout[:200]))
    check("too wide of a recording", run(DTRACE, "-r", wide, "-x", "oformat=folded").returncode == 1)
    check("text of it", run(STAP, "-r", wide).stdout.count("\n") == 69000)

    # Stacks are kept up to a number of them, and then texts.
    script = '''global s, done probe syscall.openat { if (pid() != target() || done++) next
      for (i = 0; i < 262150; i++) text = sprint_stack(sprintf("0x%x", i % 262146)) s[text] = strlen(text) }'''
    many = run(STAP, "-D", "MAXACTION=100000000", "--set", "oformat=csv", "-e", script, "-c", "cat /dev/null")
    check("many stacks", many.returncode == 0 and many.stderr.count("WARNING: there are more than 262144 different stacks") == 1, many.stderr)

    # What a handler reads is not shown at the end.
    read = run(STAP, "--set", "oformat=csv", "-e", "global n probe begin { n++ println(n) exit() }")
    check("none is shown", read.returncode == 1 and "oformat=csv needs a global variable that is shown at the end" in read.stderr
          and read.stdout == "", read)

    # Where a script has nothing that the form shows, it does not begin.
    mark = os.path.join(directory, "mark")
    for form, more, script in (
            ("svg", (), "global n probe end { n++ println(n) }"), ("csv", (), 'global t probe end { t["x"] = "y" }'),
            ("folded", (), "global n probe end { n[execname()]++ }"), ("pprof", (), "global n, t probe end { n[1]++ t = sprint_backtrace() }"),
            ("prometheus", ("--no-global-var-display",), "global n probe end { n++ }")):
        refused = run(STAP, "--set", f"oformat={form}", *more, "-e", f'probe begin {{ system("touch {mark}") exit() }} ' + script)
        check(f"{form} before the run", refused.returncode == 1 and not os.path.exists(mark) and refused.stdout == ""
              and refused.stderr.count(f"oformat={form} needs a global variable ") == 1, refused)

for one in bad:
    print(one)
print(f"{len(bad)} differences")
sys.exit(1 if bad else 0)
