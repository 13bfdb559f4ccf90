"""The script in a flame graph, in a browser: what zoom shows, and what search says."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402

CALLS = 1000
browser = shutil.which("chromium")
if browser is None:
    print("skipped: there is no chromium")
    sys.exit(77)
SCRIPT = """syscall::getppid:entry /pid == $target && n % 4 == 0/ { @[\"outer\", \"one\", ustack(), \"leaf\"] = count(); }
syscall::getppid:entry /pid == $target && n % 4 != 0/ { @[\"outer\", \"three <&>\", ustack(), \"leaf\"] = count(); }
syscall::getppid:entry /pid == $target/ { n++; }"""
SCRIPT = "int n;\n" + SCRIPT
svg = subprocess.run([DTRACE, "-q", "-x", "oformat=svg", "-n", SCRIPT, "-c", f"{workload('getppid')} {CALLS}"],
                     stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=True).stdout


def boxes(text):
    """name -> (is hidden, width, is found) of each box, and what is said to be found."""
    found = xml.dom.minidom.parseString(text)
    out = {}
    for box in found.getElementsByTagName("g"):
        if box.hasAttribute("data-n"):
            name = box.getElementsByTagName("title")[0].firstChild.data.rpartition(": ")[0]
            rect = box.getElementsByTagName("rect")[0]
            out[name] = ("hidden" in box.getAttribute("class").split(), float(rect.getAttribute("width")),
                         "found" in rect.getAttribute("class").split())
    said = next(text for text in found.getElementsByTagName("text") if text.getAttribute("id") == "found")
    return out, said.firstChild.data if said.firstChild else ""


def after(action):
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "flame.svg")
        with open(path, "w") as file:
            file.write(svg.replace("</svg>", f"<script>{action}</script></svg>"))
        dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={work}/profile",
                              "--dump-dom", f"file://{path}"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200).stdout
    return boxes(re.search(r"<svg.*</svg>", dom, re.S)[0])


bad = []
names = list(boxes(svg)[0])
shown, said = after("")
if any(hidden for hidden, _, _ in shown.values()) or said.strip():
    bad.append(f"without a click: {shown} {said}")
shown, said = after(f"flame.show({names.index('three <&>')})")
if shown["three <&>"][:2] != (False, 1180) or shown["outer"][:2] != (False, 1180) or not shown["one"][0]:
    bad.append(f"zoomed: {shown}")
shown, said = after(f"flame.show({names.index('three <&>')}); flame.show(0)")
if any(hidden for hidden, _, _ in shown.values()) or abs(shown["one"][1] - 295) > 0.02:
    bad.append(f"zoomed out: {shown}")
shown, said = after("flame.search('THREE')")
if said != "matched: 750, 75.00 %" or not shown["three <&>"][2] or shown["one"][2]:
    bad.append(f"searched: {said} {shown}")
# "outer" holds all, so that what is in it is not counted again.
shown, said = after("flame.search('e')")
if said != "matched: 1,000, 100.00 %":
    bad.append(f"nested: {said}")
if bad:
    sys.exit("\n".join(bad))
