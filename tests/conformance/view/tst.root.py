"""-x view=flame,root=NAME: flame graphs and profiles begin with a function, and have what was counted in it; how much that is of
all is said. A comparison and the lines of the page have the same function."""
import json
import os
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, os.environ["TESTS"])
from exports import CALLS, replay, run  # noqa: E402
from views import Views  # noqa: E402

bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r:.500}, not {wanted!r:.500}")


def folded(text):
    return {tuple(stack.split(";")): int(weight) for stack, weight in (line.rsplit(" ", 1) for line in text.decode().splitlines())}


with tempfile.TemporaryDirectory(prefix="root-") as directory:
    recording, odd = os.path.join(directory, "x.dtr"), os.path.join(directory, "odd.dtr")
    for file, condition in ((recording, "1"), (odd, "n % 2")):
        run("-q", "-b", "32m", "-x", "oformat=none", "-x", f"record={file}", "-n", f"""syscall::getppid:entry /pid == $target/ {{ n++; }}
            syscall::getppid:entry, syscall::exit_group:entry /pid == $target && (probefunc != "getppid" || {condition})/
            {{ @s[execname, ustack()] = count(); }}""")
    whole = folded(replay(recording, "-x", "oformat=folded").stdout)
    within = {stack: weight for stack, weight in whole.items() if any(frame.endswith("`main") for frame in stack)}
    check(CALLS, sum(within.values()), f"calls in main, among {whole}")
    check(CALLS + 1, sum(whole.values()), f"all calls and the end, among {whole}")

    wanted = {}
    for stack, weight in within.items():
        first = next(i for i, frame in enumerate(stack) if frame.endswith("`main"))
        wanted[stack[first:]] = wanted.get(stack[first:], 0) + weight
    for name in ("main", "getppid`main"):
        done = replay(recording, "-x", "oformat=folded", "-x", f"view=@s:flame,root={name}")
        check(wanted, folded(done.stdout), f"root={name}")
        check(f"dtrace: oformat=folded shows {CALLS} of {CALLS + 1}: what {name} was doing\n", done.stderr.decode(), "the message")
    done = replay(recording, "-x", "oformat=term", "-x", "view=flame,root=main")
    check(True, b"\nwhat main was doing; 1 elsewhere\n" in done.stdout, f"a terminal: {done.stdout!r}")
    done = replay(recording, "-x", "oformat=speedscope", "-x", "view=flame,root=main")
    check(CALLS, json.loads(done.stdout)["profiles"][0]["endValue"], "speedscope")
    # A key is no function.
    done = replay(recording, "-x", "oformat=folded", "-x", "view=flame,root=getppid")
    check((b"", True), (done.stdout, f"shows 0 of {CALLS + 1}".encode() in done.stderr), "a key")

    def boxes(*words):
        svg = xml.dom.minidom.parseString(replay(recording, "-x", "oformat=svg", *words).stdout)
        return [(box.getElementsByTagName("title")[0].firstChild.data, int(box.getAttribute("data-n")))
                for box in svg.getElementsByTagName("g") if box.hasAttribute("data-n")]

    svg = boxes("-x", "view=flame,root=main")
    check(("all", CALLS), (svg[0][0].split(":")[0], svg[0][1]), "the whole")
    check(("getppid`main", CALLS), (svg[1][0].split(":")[0], svg[1][1]), "what stands on the ground")
    compared = boxes("-x", "view=flame,root=main", "-x", f"base={odd}")
    check(True, f"before {CALLS // 2} of {CALLS // 2}, 100.00 %" in compared[1][0], f"a comparison: {compared[1]}")
    page = Views(replay(recording, "-x", "oformat=views", "-x", "view=flame,root=main").stdout)
    check("main", page.plan["views"][0].get("root"), "view lines")
    check(True, page.plan["views"][0]["title"].endswith(", within main"), "its title")
    for hint, message in (("view=@s:table,root=main", "'root' is a word of flame graphs"),
                          ("view=@s:flame,root=", "'root=' needs a value")):
        done = replay(recording, "-x", "oformat=folded", "-x", hint, status=1)
        check(True, message in done.stderr.decode(), f"{hint}: {done.stderr}")
if bad:
    sys.exit("\n".join(bad))
