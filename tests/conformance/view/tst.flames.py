"""A flame graph has every firing of the run, whatever the script has printed, cleared, truncated or normalized: the
totals of folded, speedscope and SVG are what a program is known to have done."""
import json
import os
import re
import subprocess
import sys
import xml.dom.minidom

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

CALLS = 20_000
bad = []


def draw(form, script, *words, status=0):
    while True:
        done = subprocess.run([DTRACE, "-x", f"oformat={form}", *words, "-n", script, "-c", f"{workload('getppid')} {CALLS}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        if "drops on CPU" not in done.stderr and "drop on CPU" not in done.stderr:
            break
        again(done.stderr)
    if done.returncode != status:
        bad.append(f"{form}: exit status {done.returncode}: {done.stderr}")
    return done


def check(what, got, wanted):
    if got != wanted:
        bad.append(f"{what}: {got}, and not {wanted}")


def lines(text):
    return [(stack.split(";"), int(weight)) for stack, weight in (line.rsplit(" ", 1) for line in text.splitlines())]


OURS = "syscall::getppid:entry /pid == $target/"
WAYS = {
    "as it is": f"{OURS} {{ @a[ustack()] = count(); }}",
    "printed, and printed again": f"{OURS} {{ @a[ustack()] = count(); }} END {{ printa(@a); printa(@a); }}",
    "cleared": f"{OURS} {{ @a[ustack()] = count(); }} {OURS[:-1]} && ++n % 1500 == 0/ {{ printa(@a); clear(@a); }}",
    "truncated": f"{OURS} {{ @a[ustack(), timestamp % 7] = count(); }} {OURS[:-1]} && ++n % 1500 == 0/ {{ trunc(@a, 2); }}",
    "removed": f"{OURS} {{ @a[ustack()] = count(); }} {OURS[:-1]} && ++n % 1500 == 0/ {{ trunc(@a); }}",
    "normalized": f"{OURS} {{ @a[ustack()] = count(); }} END {{ normalize(@a, 1000); }}",
    "of a histogram": f"{OURS} {{ @a[ustack()] = quantize(timestamp); }}",
}
for way, script in WAYS.items():
    done = draw("folded", script)
    check(way, sum(weight for _, weight in lines(done.stdout)), CALLS)

# Keys before the stack are outer frames, those behind it inner ones; the kernel stands upon the program.
done = draw("folded", OURS + " { @[execname, stack(), ustack(), cpu % 1] = sum(3); }")
rows = lines(done.stdout)
check("sum()", sum(weight for _, weight in rows), 3 * CALLS)
for stack, _ in rows:
    if stack[0] != "getppid" or stack[-1] != "0":
        bad.append(f"the keys are not where they belong: {stack}")
    user = [i for i, frame in enumerate(stack) if re.match(r"(libc|getppid)", frame) and i > 0]
    kernel = [i for i, frame in enumerate(stack) if frame.startswith(("vmlinux`", "genunix`", "kernel`"))]
    if user and kernel and max(user) > min(kernel):
        bad.append(f"the kernel is not upon the program: {stack}")

done = draw("speedscope", WAYS["cleared"])
document = json.loads(done.stdout)
profile = document["profiles"][0]
check("weights", sum(profile["weights"]), CALLS)
check("endValue", profile["endValue"], CALLS)
check("samples", len(profile["samples"]), len(profile["weights"]))
frames = [frame["name"] for frame in document["shared"]["frames"]]
check("frames", len(set(frames)), len(frames))
if any(frame >= len(frames) for sample in profile["samples"] for frame in sample):
    bad.append("a sample has a frame that is none")

# What JSON cannot have is another name in each frame.
names = ["".join(f"\\{byte:03o}" for byte in name) for name in (b"\xa1", b"\xa3", "\u00e9".encode())]
done = subprocess.run([DTRACE, "-q", "-x", "oformat=speedscope", "-n", "BEGIN { " + "".join(f'@["{name}", stack(1)] = count(); ' for name in names) + "exit(0); }"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
frames = [frame["name"] for frame in json.loads(done.stdout)["shared"]["frames"] if "`" not in frame["name"]]
check("names of frames", sorted(frames), ["\\241", "\\243", "\u00e9"])

# A document takes the place of what the file had.
path = os.path.join(os.environ["TMPDIR"] if "TMPDIR" in os.environ else "/tmp", f"flames.{os.getpid()}.svg")
try:
    with open(path, "w") as file:
        file.write("something else\n" * 100_000)
    draw("svg", WAYS["as it is"], "-o", path)
    svg = xml.dom.minidom.parse(path)
finally:
    os.unlink(path)
boxes = [box for box in svg.getElementsByTagName("g") if box.hasAttribute("data-n")]
check("the box of all", int(boxes[0].getAttribute("data-n")), CALLS)
for box in boxes:
    width = float(box.getElementsByTagName("rect")[0].getAttribute("width"))
    if abs(width - 1180 * int(box.getAttribute("data-n")) / CALLS) > 0.01:
        bad.append(f"a box is {width} wide: {box.toxml()}")
    inner = sum(int(other.getAttribute("data-n")) for other in boxes
                if int(other.getAttribute("data-d")) == int(box.getAttribute("data-d")) + 1
                and int(box.getAttribute("data-b")) <= int(other.getAttribute("data-b"))
                < int(box.getAttribute("data-b")) + int(box.getAttribute("data-n")))
    if inner > int(box.getAttribute("data-n")):
        bad.append(f"more is in a box than it has: {box.toxml()}")

# A record that finds no room is a drop, but nothing that the picture lacks.
full = subprocess.run([DTRACE, "-q", "-x", "oformat=folded", "-b", "4k", "-x", "switchrate=1s", "-n",
                       OURS + " { @[ustack()] = count(); printf(\"%s%s%s%s\", probefunc, execname, cwd, probemod); }",
                       "-c", f"{workload('getppid')} {CALLS}"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
if "drops on CPU" not in full.stderr:
    bad.append(f"no drops: {full.stderr}")
check("beside drops of records", (sum(weight for _, weight in lines(full.stdout)), "[dropped]" in full.stdout), (CALLS, False))

# What has no stack is no flame graph, and said before anything runs.
done = draw("folded", OURS + " { @[execname] = count(); @b[ustack()] = avg(1); }", status=1)
if "oformat=folded needs a stack in a key" not in done.stderr or done.stdout or not re.search(
        r"which oformat=html, svg and term show:\n    table    @ = count\(\) by execname\n    table    @b = avg\(1\) by ustack\(\)\nhint: ", done.stderr):
    bad.append(f"no stack: {done.stderr}")
done = draw("folded", OURS + " { @a[ustack()] = count(); @b[stack()] = count(); }")
if "shows @a only, and not @b" not in done.stderr:
    bad.append(f"two: {done.stderr}")
# One that is empty gives way to one that has something, as of a tool that one of its options has chosen.
done = draw("folded", "BEGIN /0/ { @a[ustack()] = count(); } " + OURS + " { @b[ustack()] = count(); }")
if "only, and not" in done.stderr or sum(weight for _, weight in lines(done.stdout)) != CALLS:
    bad.append(f"an empty one: {done}")
done = draw("folded", OURS + " { @a[ustack()] = sum(-1); }")
if "shows no sums below 0: 1 of @a" not in done.stderr or done.stdout:
    bad.append(f"negative: {done.stderr}")
done = draw("term", OURS + " { @a[ustack()] = sum(-1); }")
if "\n1 sums below 0 are not shown\n" not in done.stdout:
    bad.append(f"negative, in a terminal: {done.stdout}")
# A key that is an empty text is a frame that can be seen.
for form, pattern in {"folded": rf"\(empty\);([^;]+;)+7 {CALLS}\n", "svg": rf"<title>\(empty\): {CALLS:,} of {CALLS:,}, 100.00 %</title>",
                      "speedscope": r'"name":"\(empty\)"', "term": r"\n\|\(empty\) *\n"}.items():
    done = draw(form, OURS + ' { @a["", ustack(), 7] = count(); }')
    if not re.search(pattern, done.stdout):
        bad.append(f"an empty key in {form}: {done.stdout[:2000]}")
# Standard output is not ours alone: what stands in it stays.
path += ".folded"
try:
    with open(path, "a") as file:
        file.write("before\n")
        file.flush()
        subprocess.run([DTRACE, "-q", "-x", "oformat=folded", "-n", "BEGIN { @[stack()] = count(); exit(0); }"],
                       stdin=subprocess.DEVNULL, stdout=file, check=True, timeout=100)
    with open(path) as file:
        found = file.read()
finally:
    os.unlink(path)
if not re.fullmatch(r"before\n.* 1\n", found):
    bad.append(f"standard output: {found}")
done = draw("folded", OURS[:-1] + " && 0/ { @a[ustack()] = count(); }")
if "nothing was counted" not in done.stderr or done.stdout:
    bad.append(f"empty: {done.stderr}")
done = draw("folded", OURS[:-1] + " && 0/ { @a[ustack()] = count(); } BEGIN { @names[execname] = count(); }")
if "nothing was counted by stack, but only @names" not in done.stderr or done.stdout:
    bad.append(f"counted without stacks: {done.stderr}")
done = draw("folded", OURS + " { @b[ustack()] = avg(1); }", status=1)
if "values that add up" not in done.stderr:
    bad.append(f"average: {done.stderr}")
if bad:
    sys.exit("\n".join(bad))
