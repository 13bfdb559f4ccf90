"""A flame graph that is compared with a recording has the totals of both runs, and, with the key d, what is gone."""
import os
import re
import subprocess
import shutil
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from exports import CALLS, reader, replay, run  # noqa: E402

bad = []
directory = tempfile.TemporaryDirectory(prefix="differential-")
old, new = (os.path.join(directory.name, name) for name in ("old", "new"))
SCRIPT = "syscall::getppid:entry /pid == $target/ {{ @calls[\"{}\", ustack(4)] = count(); }}"
run("-q", "-x", "oformat=none", "-x", f"record={old}", "-n", SCRIPT.format("gone"))
run("-q", "-x", "oformat=none", "-x", f"record={new}", "-n", SCRIPT.format("new"), calls=3 * CALLS)
svg = replay(new, "-x", "oformat=svg", "-x", f"base={old}").stdout.decode()
titles = re.findall(r"<title>([^<]*)</title>", svg)
for wanted in [f"all: 1,500 of 1,500, 100.00 %; before {CALLS} of {CALLS}, 100.00 % (+0.00)",
               f"new: 1,500 of 1,500, 100.00 %; before 0 of {CALLS}, 0.00 % (+100.00)",
               f"gone: {CALLS} of {CALLS}, 100.00 %; now 0 of 1,500, 0.00 % (-100.00)"]:
    if titles.count(wanted) != 1:
        bad.append(f"{wanted} is not among {titles}")
if reader("xmllint"):
    done = subprocess.run(["xmllint", "--noout", "-"], input=svg.encode(), capture_output=True, timeout=100)
    if done.returncode != 0:
        bad.append(f"xmllint: {done.stderr}")
if reader("chromium"):
    def shown(action):
        path = os.path.join(directory.name, "flame.svg")
        with open(path, "w") as file:
            file.write(svg.replace("</svg>", f"<script>{action}</script></svg>"))
        dom = subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu",
                              f"--user-data-dir={directory.name}/profile", "--dump-dom", f"file://{path}"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200).stdout
        return [group for group in ("boxes", "before") if not re.search(f'<g id="{group}"[^>]*hidden', dom)]
    key = "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'd' }));"
    for action, wanted in [("", ["boxes"]), (key, ["before"]), (key * 2, ["boxes"])]:
        if shown(action) != wanted:
            bad.append(f"{shown(action)} is shown, and not {wanted}")

# What cannot be compared is refused.
with open(old, "rb") as whole, open(old + ".cut", "wb") as cut:
    cut.write(whole.read()[:-10])
run("-q", "-x", "oformat=none", "-x", f"record={old}.other", "-n", SCRIPT.format("").replace("@calls", "@other"))
run("-q", "-x", "oformat=none", "-x", f"record={old}.none", "-n", "BEGIN { @[1] = count(); }")
done = replay(f"{old}.none", "-x", "oformat=svg", "-x", f"base={old}", status=1)
if b"option 'base' compares flame graphs, and this program has none" not in done.stderr:
    bad.append(f"a program without stacks: {done.stderr}")
for words, wanted in [(["oformat=svg", f"base={old}.cut"], b"is cut off there"),
                      (["oformat=svg", f"base={old}.other"], b"it has no stacks of @calls"),
                      (["oformat=svg", f"base={old}.absent"], b"No such file"),
                      (["oformat=folded", f"base={old}"], b"option 'base' compares flame graphs")]:
    done = replay(new, *[part for word in words for part in ("-x", word)], status=1)
    if wanted not in done.stderr:
        bad.append(f"{words}: {done.stderr}")
if bad:
    sys.exit("\n".join(bad))
