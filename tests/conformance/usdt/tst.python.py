"""The probes of CPython: what a program returns from, with file, name and line; collections of garbage; audits."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
python = next((path for path in ("/usr/bin/python3.11", shutil.which("python3.11"))
               if path and os.path.exists(path) and b"stapsdt" in pathlib.Path(path).read_bytes()), None)
if not python:
    print("there is no python3.11 that was built with probes")
    sys.exit(77)
with tempfile.TemporaryDirectory() as work:
    script = pathlib.Path(work) / "three.py"
    # CPython 3.11 tells of few calls (function-entry), but of every return.
    script.write_text("import gc, os, sys\n\ndef inner(n):\n    return n + 1\n\ndef outer(n):\n    return inner(n) + inner(n)\n\n"
                      "for i in range(7):\n    outer(i)\nfor i in range(3):\n    gc.collect(i)\n    sys.audit('our.event')\nos._exit(0)\n")
    program = """int looks;
        python$target:::function-return /basename(copyinstr(arg0)) == "three.py"/ {
            @[copyinstr(arg1), args[2]] = count();
        }
        python$target:::gc-start /looks/ { @["gc", args[0]] = count(); }
        python$target:::audit /copyinstr(arg0) == "our.event"/ { @["audit", looks] = count(); }
        python$target:::function-return /copyinstr(arg1) == "outer"/ { looks = 1; }
        END { printa("%s %d %@d\\n", @); }"""
    run = subprocess.run([DTRACE, "-q", "-x", "aggsortkey", "-c", f"{python} -S -E {script}", "-n", program],
                         capture_output=True, text=True, timeout=60)
    wanted = ["audit 1 3", "gc 0 1", "gc 1 1", "gc 2 1", "inner 4 14", "outer 7 7"]
    got = sorted(line for line in run.stdout.splitlines() if line)
    if run.returncode != 0 or got != wanted:
        print(f"exit status {run.returncode}\n{run.stdout}{run.stderr}wanted\n{wanted}")
        sys.exit(1)
