"""A recording of a run gives what the run has printed, in the form that it was printed in, without rights; and any other
form. Scripts of the other directories are recorded and replayed, and workloads that do a known thing."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

HERE = os.environ["TESTS"]
SCRIPTS = ["agg/tst.printa_join.d", "agg/tst.percentiles.d", "agg/tst.trunc_join.d", "agg/tst.clear.d", "agg/tst.nonzero.d",
           "agg/tst.functions.d", "printf/tst.conversions.d"]
CALLS = 500
OURS = "syscall::getppid:entry /pid == $target/"
# One key for each call stack, order and colours of nothing but what was counted.
STACKS = f"{OURS} {{ @a[ustack(4)] = count(); @b[probefunc] = quantize(cpu); printf(\"%d\", pid - $target); }}"
bad = []
directory = tempfile.TemporaryDirectory(prefix="recording-")


def file(name):
    return os.path.join(directory.name, name)


def dtrace(*words, status=0, binary=False):
    done = subprocess.run([DTRACE, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=100)
    if done.returncode != status:
        bad.append(f"{words}: exit status {done.returncode}, and not {status}: {done.stderr}")
    return done


def timeless(text):
    # Lines of aggregations have the time at which they were printed.
    return re.sub(rb'"time": ?\d+', b'"time":0', text)


def compare(what, live, replayed):
    if timeless(live) != timeless(replayed):
        bad.append(f"{what}: replayed\n{replayed.decode(errors='replace')}\nand not\n{live.decode(errors='replace')}")


for script in SCRIPTS:
    with open(f"{HERE}/conformance/{script}") as lines:
        options = [word for line in lines for word in re.findall(r"@@options: (.*)", line)]
    live = dtrace("-x", f"record={file('s')}", *" ".join(options).split(), "-s", f"{HERE}/conformance/{script}")
    compare(script, live.stdout, dtrace("-r", file("s")).stdout)

COUNTS = f"{OURS} {{ @[probefunc] = count(); @b = quantize(cpu); trace(cpu); }}"
SCRIPT_OF = {"perfscript": f"{OURS} {{ trace(execname); ustack(4); }}", "prometheus": COUNTS, "otlp": COUNTS, "graphite": COUNTS}
command = ["-c", f"{workload('getppid')} {CALLS}"]
for form in ["text", "jsonl", "csv", "folded", "svg", "speedscope", "pprof", "term", "perfscript",
             "chrome", "perfetto", "prometheus", "otlp", "graphite"]:
    while True:
        live = dtrace("-q", "-x", f"oformat={form}", "-x", f"record={file(form)}", "-n",
                      SCRIPT_OF.get(form, STACKS), *command)
        if b"drops" not in live.stderr:
            break
        again(live.stderr.decode())
    if not live.stdout:
        bad.append(f"{form}: nothing was printed")
    compare(form, live.stdout, dtrace("-r", file(form), "-x", f"oformat={form}").stdout)

if b"needs records with a stack" not in dtrace("-r", file("text"), "-x", "oformat=perfscript", status=1).stderr:
    bad.append("samples are made of nothing")

# Of a recording of text any other form is made, and of one of no output at all.
wanted = sorted(line.rsplit(b" ", 1)[1] for line in dtrace("-r", file("folded"), "-x", "oformat=folded").stdout.splitlines())
dtrace("-x", "oformat=none", "-x", f"record={file('none')}", "-n", STACKS, *command)
for recorded in ["text", "none"]:
    folded = dtrace("-r", file(recorded), "-x", "oformat=folded").stdout
    got = sorted(line.rsplit(b" ", 1)[1] for line in folded.splitlines())
    if got != wanted or sum(map(int, got)) != CALLS or b"getppid`" not in folded:
        bad.append(f"{recorded} as folded: {folded}")

# Through a pipe; what is printed goes nowhere meanwhile.
piped = subprocess.run(f"{DTRACE} -x record=- -qn 'BEGIN {{ printf(\"%s\", \"here\"); @ = sum(40); exit(3); }}' | {DTRACE} -r -",
                       shell=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=100)
if piped.returncode != 3 or not piped.stdout.startswith(b"here\n") or b"40\n" not in piped.stdout:
    bad.append(f"through a pipe: {piped}")

# What commands print does not get into it.
piped = subprocess.run(f"{DTRACE} -w -x record=- -qn 'BEGIN {{ system(\"echo one\"); }}' -c 'echo two' | {DTRACE} -r -", shell=True,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=100)
if piped.returncode != 0 or b"one\n" not in piped.stderr or b"two\n" not in piped.stderr:
    bad.append(f"commands and a recording on standard output: {piped}")

# A user without rights replays.
if bad:
    sys.exit("\n".join(bad))
os.chmod(directory.name, 0o755)
os.chmod(file("text"), 0o644)
as_user = subprocess.run([DTRACE, "-r", file("text")], stdin=subprocess.DEVNULL, capture_output=True, timeout=100,
                         user=65534, group=65534, extra_groups=[])
compare("as nobody", dtrace("-r", file("text")).stdout, as_user.stdout)

# Without its end a recording is shown up to there, and that it is cut is said.
with open(file("text"), "rb") as whole:
    content = whole.read()
with open(file("cut"), "wb") as cut:
    cut.write(content[:-10])
done = dtrace("-r", file("cut"), status=1)
if b"is cut off there" not in done.stderr:
    bad.append(f"cut: {done}")
with open(file("damaged"), "wb") as damaged:
    damaged.write(content[:-10] + bytes([content[-10] ^ 1]) + content[-9:])
if b"is damaged" not in dtrace("-r", file("damaged"), status=1).stderr:
    bad.append("damage is not said")

# What a recording is not.
with open(file("other"), "w") as other:
    other.write("something else\n")
if b"is there, and no recording" not in dtrace("-x", f"record={file('other')}", "-n", "BEGIN { exit(0); }", status=1).stderr:
    bad.append("another file is written over")
if b"it is no recording" not in dtrace("-r", file("other"), status=1).stderr:
    bad.append("another file is replayed")
# What is in it is listed; options of tracing are refused by name; what follows the end is said.
listed = dtrace("-l", "-r", file("text")).stdout
for part in [rb" +syscall +vmlinux +getppid entry\n", rb"\nflame    @a = count\(\) by ustack\(4\)\n",
             rb"\n500 records, 0 messages, no drops; exit status 0\n", rb"\nrecorded on .* from .* to "]:
    if not re.search(part, listed):
        bad.append(f"-l -r lacks {part}: {listed}")
# What it is stands before the list, which may be long.
if not listed.index(b"\nrecorded on ") < listed.index(b" PROVIDER "):
    bad.append(f"-l -r begins with its list: {listed}")
if b"option 'bufsize' concerns tracing" not in dtrace("-r", file("text"), "-x", "bufsize=4m", status=2).stderr:
    bad.append("an option without effect is taken")
with open(file("longer"), "wb") as longer:
    longer.write(content + b"x")
for words in [[], ["-l"]]:
    if b"it is whole, but at byte" not in dtrace(*words, "-r", file("longer"), status=1).stderr:
        bad.append("data behind the end is not said")

for words in [["-n", "BEGIN"], ["-c", "true"], ["-w"], ["-A"], ["-S"], ["-x", "record=y"], ["-x", "dump=views"], ["-x", "stop=views"]]:
    dtrace("-r", file("text"), *words, status=2)

# One that is still being written stays where it is.
with subprocess.Popen([DTRACE, "-x", f"record={file('busy')}", "-qn", "BEGIN { printf(\"begun\\n\"); }"], stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE) as busy:
    busy.stdout.readline()
    if b"is being written by another dtrace" not in dtrace("-x", f"record={file('busy')}", "-n", "BEGIN { exit(0); }",
                                                           status=1).stderr:
        bad.append("a recording that is being written is taken away")
    busy.terminate()
    busy.wait(100)
dtrace("-x", f"record={file('busy')}", "-n", "BEGIN { exit(0); }")

# The recording before is kept, and nobody else reads either.
dtrace("-x", f"record={file('text')}", "-qn", "BEGIN { exit(0); }")
with open(file("text.old"), "rb") as old:
    if old.read() != content:
        bad.append("the older recording is another one")
if os.stat(file("text")).st_mode & 0o777 != 0o600:
    bad.append("others may read a recording")

if bad:
    sys.exit("\n".join(bad))
