# @@timeout: 120
"""Points of CPython: what a program returns from, with file, name and line; collections of garbage; audits; modules."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs import STAP, must_be, must_list

python = "/usr/bin/python3.11"
if not os.path.exists(python) or b"stapsdt" not in pathlib.Path(python).read_bytes():
    print("there is no python3.11 that was built with probes")
    sys.exit(77)
for family in "python", "python3":
    must_list(f"{family}.*.*", [f"{family}.function.entry name:string filename:string funcname:string lineno:long",
                                f"{family}.function.return name:string filename:string funcname:string lineno:long",
                                f"{family}.gc.start name:string generation:long"])
SOURCE = """import gc, os, sys

def inner(n):
    return n + 1

def outer(n):
    return inner(n) + inner(n)

for i in range(7):
    outer(i)
for i in range(3):
    gc.collect(i)
    sys.audit('our.event')
import colorsys
os._exit(0)
"""
SCRIPT = """
global n, looks
probe python.function.return {
  if (pid() != target()) next
  if (isinstr(filename, "/known.py")) n[funcname, lineno]++
  if (funcname == "outer") looks = 1
}
probe python3.gc.start { if (pid() == target() && looks) n["gc", generation]++ }
probe python3.audit { if (pid() == target() && event == "our.event") n[name, 0]++ }
probe python.import.start, python.import.done { if (pid() == target() && modulename == "colorsys") n[name, 0]++ }
probe end { foreach ([a, b] in n) printf("%s %d %d\\n", a, b, n[a, b]) }"""
with tempfile.TemporaryDirectory() as work:
    script = pathlib.Path(work) / "known.py"
    script.write_text(SOURCE)
    run = subprocess.run([STAP, "-e", SCRIPT, "-c", f"{python} -S -E {script}"], capture_output=True, text=True, timeout=100)
got = run.stdout.splitlines()
must_be(run.returncode, got, ["audit 0 3", "gc 0 1", "gc 1 1", "gc 2 1", "import.done 0 1", "import.start 0 1", "inner 4 14",
                              "outer 7 7"])
