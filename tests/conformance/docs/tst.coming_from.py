# @@host
# @@timeout: 120
"""Every line of D in the tables of docs/coming-from.md and docs/README.md compiles.

It is in the last column, in backquotes. A cell that begins with `dtrace` is a command, which runs with -e (or as it is, if it
lists). Anything else is a program, a probe, a statement or an expression, and must compile as one of these.
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
DOCS = pathlib.Path(os.environ["TESTS"]).parent / "docs"
LIMIT_S = 60
# What a piece of D may be, from the whole to the part; the probe has the arguments that pieces use.
FRAMES = ("%s", "%s { }", "syscall::openat:return { %s; }", "syscall::openat:return { trace(%s); }",
          "syscall::openat:return { self->start = timestamp; this->x = 1; @[execname] = count(); } syscall::openat:return { %s; }",
          "syscall::openat:return { this->x = 1; @ = count(); } syscall::openat:return { %s; }",
          "syscall::openat:return { this->x = 1; } syscall::openat:return { %s; }")


def cells(text):
    """Yields (line, span) of each piece of D."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("| ") or line.startswith(("| job |", "| question |")):
            continue
        last = re.split(r"(?<!\\)\|", line.strip().strip("|"))[-1].replace("\\|", "|")
        for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", last):
            yield number, span


def compiles(words):
    done = subprocess.run([DTRACE, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode == 0, done.stderr


def problem(span, pid):
    if re.match(r"-\w$", span):
        return None  # an option that the cell mentions
    if span.startswith("dtrace --tools"):
        good, said = compiles(shlex.split(span)[1:])
        return None if good else said
    if span.startswith("dtrace"):
        # What a reader puts in; -A is left out, as it would save the program.
        given = {"PID": str(pid), "COMMAND": "true", "NAME": "global"}
        words = [given.get(w, w).replace("a.out:FUNCTION", "libc:malloc") for w in shlex.split(span)[1:] if w != "-A"]
        if not any(w.startswith("-l") for w in words):
            words.insert(0, "-e")
        good, said = compiles(words)
        return None if good else said
    first = None
    for frame in FRAMES:
        good, said = compiles(["-e", "-w", "-n", frame % span])
        if good:
            return None
        first = first or said
        # These two are not on every machine; then the only thing that is wrong with them is that there is no such probe.
        if ("vmlinux:vfs_read" in span or "cache_misses" in span) and re.findall(r"\[(D_\w+)\]", said) == ["D_PDESC_ZERO"]:
            print(f"skipped: {span}: {said.splitlines()[0]}")
            return None
    return first


def main():
    sleeper = subprocess.Popen(["sleep", "1000"])
    try:
        spans = [(page, line, span) for page in ("coming-from.md", "README.md") for line, span in cells((DOCS / page).read_text())]
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            found = list(workers.map(lambda one: problem(one[2], sleeper.pid), spans))
    finally:
        sleeper.kill()
        sleeper.wait()
    failed = 0
    for (page, line, span), wrong in zip(spans, found):
        if wrong:
            failed += 1
            print(f"{page}:{line}: {span}\n{wrong}")
    print(f"{len(spans)} lines, {failed} failed")
    return 1 if failed or len(spans) < 100 else 0


sys.exit(main())
