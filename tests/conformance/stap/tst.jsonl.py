# --set oformat=jsonl: every line is as docs/jsonl.schema.json says, the last one is the end, and the lines say what the
# text says.
import os
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import jsonl  # noqa: E402

seen = set()


def lines(script, *arguments, status=0, error=None):
    done = subprocess.run([os.environ["STAP"], "--set", "oformat=jsonl", "-e", script, *arguments], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=60)
    said = done.stderr.decode(errors="replace")
    if done.returncode != status or (error is not None and error not in said):
        sys.exit(f"{script}: exit status {done.returncode}: {said}")
    out = jsonl.parse(done.stdout.decode())
    if out[-1] != {"v": 1, "type": "end", "status": status} or [line["type"] for line in out].count("end") != 1:
        sys.exit(f"{script}: the last line is {out[-1:]}")
    for line in out:
        seen.update((line["type"], member) for member in line)
        seen.update(("statistics", member) for member in line.get("statistics", {}))
        for histogram in line.get("histograms", []):
            seen.update(("histogram", member) for member in histogram)
            seen.update(("bucket", member) for bucket in histogram["buckets"] for member in bucket)
    return out


def expect(what, is_so, found):
    if not is_so:
        sys.exit(f"{what}: {found}")


def bare(line):
    return {name: value for name, value in line.items() if name not in ("v", "time")}


# What one run of a handler prints is one line; what is in the way of JSON is escaped.
out = lines('probe begin { print("a") println("b\\n\\"\\\\") } probe end { print("\\377") } probe timer.ms(1) { exit() }')
expect("texts", [bare(line) for line in out[:-1]] == [
    {"type": "text", "point": "begin", "text": 'ab\n"\\\n'}, {"type": "text", "point": "end", "text": "\ufffd", "bytes": "ff"}], out)
expect("order", out[0]["time"] <= out[1]["time"], out)

# Of an event: who fired, when and where.
out = lines('probe syscall.getppid, syscall.openat { if (pid() != target()) next\n'
            'printf("%d %d %d %d", pid(), tid(), cpu(), gettimeofday_ns()) }', "-c", "cat /dev/null")
expect("firings", len(out) > 1, out)
for line in out[:-1]:
    expect("a firing", line["text"] == f"{line['pid']} {line['tid']} {line['cpu']} {line['time']}", line)
    expect("its point", line["point"] in ("syscall.getppid", "syscall.openat"), line)

# What is traced may hold anything.
out = lines('probe syscall.openat { if (pid() == target() && isinstr(user_string($filename, "?"), "no/such")) '
            'println(user_string($filename, "?")) }', "-c", "cat '/no/such\x1b[31m\"\\'", error="exited with status 1")
expect("a name", [line["text"] for line in out if line["type"] == "text"] == ['/no/such\\033[31m"\\\n'], out)
expect("a warning", {"type": "message", "severity": "warning", "message": "Child process exited with status 1"} in
       [bare(line) for line in out], out)

# Variables at the end: numbers, texts, arrays, statistics.
out = lines("""global n, s, empty, a, e probe begin { n = -3 s = "t\\"" a[1, "x"] = 5 a[2, "y"] = 9
e["k"] <<< 4 e["k"] <<< 10 empty[0] <<< 1 delete empty[0] exit() }""")
expect("variables", [bare(line) for line in out[:-1]] == [
    {"type": "variable", "name": "n", "keys": [], "value": {"type": "int64", "value": -3}},
    {"type": "variable", "name": "s", "keys": [], "value": {"type": "string", "value": 't"'}},
    {"type": "variable", "name": "a", "keys": [{"type": "int64", "value": 2}, {"type": "string", "value": "y"}],
     "value": {"type": "int64", "value": 9}},
    {"type": "variable", "name": "a", "keys": [{"type": "int64", "value": 1}, {"type": "string", "value": "x"}],
     "value": {"type": "int64", "value": 5}},
    {"type": "variable", "name": "e", "keys": [{"type": "string", "value": "k"}],
     "statistics": {"count": 2, "sum": 14, "min": 4, "max": 10, "avg": 7}}], out)
out = lines("global s probe begin { if (0) s <<< 1 exit() }")
expect("nothing was added", [bare(line) for line in out[:-1]] == [
    {"type": "variable", "name": "s", "keys": [], "statistics": {"count": 0}}], out)
expect("no variables", len(lines("global n probe begin { n = 1 exit() }", "--no-global-var-display")) == 1, out)

# The same, whether events add in the kernel or at home.
for more in [], ["-D", "STAP_HOME=1"]:
    out = lines("global n, sizes probe syscall.openat { if (pid() != target()) next; n++ sizes[execname()] <<< 7 }", *more,
                "-c", "cat /dev/null")
    found = {line["name"]: line for line in out[:-1]}
    count = found["n"]["value"]["value"]
    expect("added", count > 0 and found["sizes"]["statistics"] == {
        "count": count, "sum": 7 * count, "min": 7, "max": 7, "avg": 7}, out)

# Warnings and errors of handlers are lines where they happened, and messages; the status is that of the run.
out = lines('probe begin { println("before") warn("careful") println("behind") println(1 / 0) }\n'
            'probe error { println("handled") }', status=1, error="ERROR: division by 0 near")
expect("errors", [bare(line) for line in out[:4]] == [
    {"type": "text", "point": "begin", "text": "before\n"},
    {"type": "message", "point": "begin", "severity": "warning", "message": "careful"},
    {"type": "text", "point": "begin", "text": "behind\n"},
    {"type": "message", "point": "begin", "severity": "error",
     "message": "division by 0 near operator '/' at <input>:1:77"}], out)
expect("error's handler", [(line["type"], line.get("point")) for line in out[4:]] == [
    ("text", "error"), ("message", None), ("end", None)], out)
out = lines('probe syscall.openat { if (pid() == target()) error("no") }', "-c", "cat /dev/null", status=1)
expect("an error of an event", out[0]["type"] == "message" and out[0]["message"] == "no" and out[0]["cpu"] >= 0
       and out[0]["pid"] == out[0]["tid"], out)

# Neither a command of -c nor one of system() writes into the lines; what was printed before it comes before.
out = lines('probe begin { println("one") system("echo two; echo two >&2") }', "-c", "echo three", error="three")
expect("commands", [bare(line) for line in out[:-1]] == [{"type": "text", "point": "begin", "text": "one\n"}], out)

# Losses are lines: while a command of system() runs, no record is read.
out = lines("""global turns probe syscall.getppid { printf("") }
probe timer.ms(1) { if (turns++) exit() else system("python3 -c 'import os; [os.getppid() for i in range(20000)]'") }""",
            "--set", "bufsize=4k", "--set", "bufresize=manual")
drops = [line for line in out if line["type"] == "drop"]
expect("drops", drops and {line["kind"] for line in drops} == {"PRINCIPAL"}, out)

# The report of -t is of no handler.
out = lines("probe begin { exit() }", "-t")
expect("-t", out[0]["type"] == "text" and "point" not in out[0] and "hits: 1" in out[0]["text"], out)

# A histogram is data beside its text.
out = lines('''global s, l, a
probe begin { s <<< -5 s <<< 0 s <<< 1 s <<< 3 s <<< 3 s <<< 1000
  l <<< -1 l <<< 0 l <<< 2 l <<< 5 l <<< 9 l <<< 10 l <<< 11 l <<< 100
  a["x", 2] <<< 7
  println(@hist_log(s)) print("and|") print(@hist_linear(l, 0, 10, 3)) print(@hist_log(a["x", 2]))
  text = sprint(@hist_log(s)) if (strlen(text) > 100) println("no data") exit() }''')
expect("one line", [line["type"] for line in out] == ["text", "end"] and out[0]["text"].count("value |---") == 3, out)
expect("histograms", out[0].get("histograms") == [
    {"name": "s", "keys": [], "kind": "log", "buckets": [
        {"value": -4, "count": 1}, {"value": 0, "count": 1}, {"value": 1, "count": 1}, {"value": 2, "count": 2}, {"value": 512, "count": 1}]},
    {"name": "l", "keys": [], "kind": "linear", "low": 0, "high": 10, "width": 3, "buckets": [
        {"below": 0, "count": 1}, {"value": 0, "count": 2}, {"value": 3, "count": 1}, {"value": 9, "count": 2},
        {"value": 11, "above": True, "count": 2}]},
    {"name": "a", "keys": [{"type": "string", "value": "x"}, {"type": "int64", "value": 2}], "kind": "log",
     "buckets": [{"value": 4, "count": 1}]}], out)
expect("no histogram", "histograms" not in lines("probe begin { println(1) exit() }")[0], out)
for more in [], ["-D", "STAP_HOME=1"]:
    out = lines('''global z probe syscall.openat { if (pid() != target()) next; z[execname()] <<< 7 }
probe end { foreach (k in z) { print(@hist_linear(z[k], 0, 20, 5)) print(@hist_log(z[k])) printf("%d", @count(z[k])) } }''', *more,
                "-c", "cat /dev/null")
    linear, logarithmic = out[0]["histograms"]
    count = int(out[0]["text"].splitlines()[-1])
    expect("of events", (linear["keys"], linear["buckets"], logarithmic["buckets"]) == (
        [{"type": "string", "value": "cat"}], [{"value": 5, "count": count}], [{"value": 4, "count": count}]), out)

# It comes and goes with the text of a speculation.
out = lines('''global s probe syscall.openat { if (pid() != target()) next
  s <<< 2 kept = speculation() speculate(kept) print(@hist_log(s)) commit(kept)
  gone = speculation() speculate(gone) print(@hist_log(s)) discard(gone) }''', "-c", "cat /dev/null")
expect("of speculations", [line["text"].count("value |") for line in out[:-1]] == [len(line["histograms"]) for line in out[:-1]]
       == [1] * (len(out) - 1) and len(out) > 1, out)

wanted = {(name, member) for name in ("text", "message", "variable", "statistics", "histogram", "bucket")
          for member in jsonl.SCHEMA["$defs"][name]["properties"]}
missing = wanted - seen
if missing:
    sys.exit(f"described, and never seen: {missing}")
