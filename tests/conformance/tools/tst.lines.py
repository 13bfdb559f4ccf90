# @@timeout: 60
"""No name of a process, no argument and no path forges a line in what the shipped tools print, or controls a terminal."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
TOOLS = pathlib.Path(os.environ["TESTS"]).parent / "tools"
FORGED = "a\n%-16s 1 1 forged\x1b[31m\u202eb"

with tempfile.TemporaryDirectory() as work:
    hostile = pathlib.Path(work) / "x\nforged\x1b[m"
    hostile.symlink_to("/bin/cat")
    victim = pathlib.Path(work) / FORGED
    victim.write_text("")
    shell = pathlib.Path(work) / "run.sh"
    shell.write_text("sleep 0.1\nfor i in 1 2 3; do \"$1\" \"$2\"; sleep 0.05; done\n")
    runner = pathlib.Path(work) / "runner"
    runner.write_text(f"#!/usr/bin/env python3\nimport subprocess\nsubprocess.run(['sh', {str(shell)!r}, {str(hostile)!r}, {str(victim)!r}])\n")
    runner.chmod(0o755)
    for tool, row in (("execsnoop.d", r"\S+ +\d+ +\d+ .*"), ("opensnoop.d", r"\d+ +\S+ +-?\d+ +\d+ .*")):
        done = subprocess.run([DTRACE, "-s", TOOLS / tool, "-c", str(runner)], capture_output=True, stdin=subprocess.DEVNULL)
        lines = done.stdout.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")[1:]
        print(tool, len(lines), "lines", done.stderr.decode(errors="replace"))
        ours = [line for line in lines if "forged" in line]
        if done.returncode != 0 or not ours:
            sys.exit(f"FAILED: {tool} has not seen it: {done.stderr}")
        for line in ours:
            if not re.fullmatch(row, line) or re.search("[\x00-\x1f\x7f-\x9f\u202e]", line):
                sys.exit(f"FAILED: {tool}: {line!r}")
