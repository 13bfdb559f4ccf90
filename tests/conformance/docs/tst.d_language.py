#!/usr/bin/env python3
# @@host
"""Every example of docs/d-language.md runs and prints what the page says.

A block that begins with ```d is a script. The words after ```d are options of
dtrace; those after `--` are arguments of the script. A block ```output right
after it is its standard output, ```stderr its standard error; a script without
one may print anything. Blanks at the ends of lines, empty lines at the ends,
and the CPU that a line names do not count. An example ends by itself: it calls exit(), or its command
ends. A script whose ```stderr says "failed to compile" must be refused.
@@timeout: 120
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import pages  # noqa: E402

PAGE = pathlib.Path(os.environ["TESTS"]).parent / "docs/d-language.md"
LIMIT_S = 20
SCRIPT = "example.d"


def examples(text):
    """Yields (line, words, script, {"output": ..., "stderr": ...})."""
    current = None
    for line, kind, words, body in pages.blocks(text, PAGE.name):
        if kind == "d":
            if current:
                yield current
            current = (line, words, body, {})
        elif kind in ("output", "stderr"):
            if current is None:
                raise SystemExit(f"{PAGE}:{line}: ```{kind} without a script before it")
            current[3][kind] = body
    if current:
        yield current


def plain(text):
    lines = (re.sub(r"^ *\d+(?= +\d+ +\S*:\S)", "CPU", line.rstrip()) for line in text.splitlines())
    return "\n".join(lines).strip("\n")


def run(directory, words, script):
    options, arguments = shlex.split(words), []
    if "--" in options:
        at = options.index("--")
        options, arguments = options[:at], options[at + 1:]
    (directory / SCRIPT).write_text(script)
    return subprocess.run([os.environ["DTRACE"], *options, "-s", SCRIPT, *arguments], cwd=directory,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S)


def main():
    failed = count = 0
    with tempfile.TemporaryDirectory() as name:
        for line, words, script, wanted in examples(PAGE.read_text()):
            count += 1
            where = f"{PAGE.name}:{line}"
            try:
                done = run(pathlib.Path(name), words, script)
            except subprocess.TimeoutExpired:
                print(f"{where}: no end after {LIMIT_S} s\n{script}")
                failed += 1
                continue
            status = 1 if "failed to compile" in wanted.get("stderr", "") else 0
            problems = [] if done.returncode == status else [f"exit status {done.returncode}\n{done.stderr}"]
            for kind, got in (("output", done.stdout), ("stderr", done.stderr)):
                if kind in wanted and plain(wanted[kind]) != plain(got):
                    problems.append(f"{kind} is not what the page says, but:\n{plain(got)}\n")
            if problems:
                failed += 1
                print(f"{where}: {words}\n{script}" + "\n".join(problems))
    print(f"{count} examples, {failed} failed")
    return 1 if failed or not count else 0


sys.exit(main())
