"""For tests of documents: what a page shows is run, and compared with what the page says.

In a page, a block ```sh is run by the shell, in one directory for the whole page. Words after `sh`:

  needs=NAME     without this command, provider (`dtrace -l -P NAME`) or file, the block is skipped
  load           it shows what the whole system does: a load of files, processes, disks and
                 sockets (tests/page_load.py) runs meanwhile
  fails          its status must not be 0

A block after it shows its output, standard error included:

  ```output      the same, except that blanks at the ends of lines and empty lines do not count; a line
                 `...` is any number of lines
  ```like        the same when every number is 0, and blanks do not count
  ```seen        what it was at some time: something must be printed
  ```once        the same, but on a quiet machine nothing may happen that could be printed

A block ```d NAME or ```c NAME is a file of this name. A dtrace that would run until Ctrl-C is given `tick-N { exit(0); }`; N is
longer if what should be printed was not.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

LIMIT_S = 200
# A dtrace that looks at the whole system ends after the first of these. The others are for a machine that is busy.
ENDS = ("500ms", "2s", "8s")
TESTS = pathlib.Path(os.environ["TESTS"])
DTRACE = os.environ["DTRACE"]
# What dtrace prints when it is ready, or when a busy machine has made it lose data: not what a page is about.
NOT_SHOWN = re.compile(r"dtrace: (description|script) .* matched \d+ probes?|dtrace: \d+ .*drops?.*|dtrace: pid \d+ has exited|"
                       r"CPU +ID +FUNCTION:NAME| *\d+ +\d+ +:(tick-(500ms|2s|8s)|END) *")


def blocks(text, name):
    """Yields (line, kind, words, body) of each fenced block."""
    number, opened = 0, None
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"```(\w*) *(.*)$", line)
        if opened is None and fence:
            opened = (number, fence.group(1), fence.group(2), [])
        elif opened is not None and line == "```":
            yield opened[0], opened[1], opened[2], "\n".join(opened[3]) + "\n"
            opened = None
        elif opened is not None:
            opened[3].append(line)
    if opened is not None:
        raise SystemExit(f"{name}:{opened[0]}: this block is not closed")


def plain(text, numbers):
    """The lines that count."""
    lines = [line.rstrip() for line in text.splitlines()]
    lines = [line for line in lines if line and not NOT_SHOWN.fullmatch(line)]
    if numbers:
        # An address may have letters before its first digit.
        lines = [re.sub(r"@+ *0$", "0", " ".join(re.sub(r"\b(0x)?[0-9a-f]*\d[0-9a-f]*\b", "0", line).split()))
                 for line in lines]
    return lines


def matches(wanted, got):
    """Whether the lines are the same; `...` is any number of lines."""
    if not wanted:
        return not got
    if wanted[0].strip() == "...":
        return any(matches(wanted[1:], got[n:]) for n in range(len(got) + 1))
    return bool(got) and wanted[0] == got[0] and matches(wanted[1:], got[1:])


class Page:
    def __init__(self, path, directory):
        self.path, self.directory = path, pathlib.Path(directory)
        (self.directory / "work").mkdir()
        # Debian's own programs, not those of a user who runs the tests.
        self.paths = {end: f"{self.wrapper(end)}:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin" for end in ENDS}

    def wrapper(self, end):
        """`dtrace`, as the page's commands find it; one that would never end gets an end."""
        text = f"""#!/bin/sh
ends=
for word in "$@"; do
  case $word in
    -*c|-*p|-*e|-*A|-l*|*exit\\(*|--*|-V|-p[0-9]*) ends=1 ;;
    *.d) [ -f "$word" ] && grep -q 'exit(' "$word" && ends=1 ;;
  esac
done
[ "$ends" ] && exec {DTRACE} "$@"
exec {DTRACE} -n 'tick-{end} {{ exit(0); }}' "$@"
"""
        file = self.directory / f"bin-{end}" / "dtrace"
        file.parent.mkdir()
        file.write_text(text)
        file.chmod(0o755)
        for name in "stap", "staprun":
            (file.parent / name).symlink_to(DTRACE)
        return file.parent

    def missing(self, words):
        """Why a block cannot run here, or None."""
        for word in words:
            if word.startswith("needs="):
                name = word.removeprefix("needs=")
                if name.startswith("/") and os.path.exists(name):
                    continue
                if shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin"):
                    continue
                done = subprocess.run([DTRACE, "-l", "-P", name], capture_output=True, text=True, timeout=LIMIT_S)
                if done.returncode != 0:
                    return f"there is no {name} here: {done.stderr.splitlines()[0] if done.stderr else ''}"
        return None

    def run(self, script, words):
        """Yields (status, output) with each time that a dtrace is given."""
        for end in ENDS:
            environment = {"PATH": self.paths[end], "LC_ALL": "C", "HOME": str(self.directory), "TERM": "dumb",
                           "DTRACE_ANONYMOUS": str(self.directory)}
            load = None
            if "load" in words:
                load = subprocess.Popen([sys.executable, TESTS / "page_load.py"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                load.stdout.readline()  # it has begun
            try:
                process = subprocess.Popen(["bash", "-c", script], cwd=self.directory / "work", env=environment,
                                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                           start_new_session=True, text=True, errors="backslashreplace")
                try:
                    output = process.communicate(timeout=LIMIT_S)[0]
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    output = process.communicate()[0] + f"\n(no end after {LIMIT_S} s)\n"
                yield process.returncode, output
            finally:
                if load:
                    load.terminate()
                    load.wait()

    def problem(self, script, words, shown):
        """What is wrong with a block, or None."""
        wanted = None
        for status, output in self.run(script, words):
            if (status != 0) != ("fails" in words):
                return f"exit status {status}\n{output}"
            if not shown:
                return None
            kind, body = shown
            got = plain(output, kind == "like")
            if kind == "once" or kind == "seen" and got:
                return None
            if kind != "seen" and matches(plain(body, kind == "like"), got):
                return None
            wanted = "nothing is printed\n" if not got else f"the output is not like the page's, but:\n{output}"
        return wanted

    def examples(self):
        """Yields (line, words, script, None or (kind, body)), and makes the files that the page shows."""
        current = None
        for line, kind, words, body in blocks(self.path.read_text(), self.path.name):
            if kind in ("sh", "d", "c") and current:
                yield current
                current = None
            if kind == "sh":
                current = (line, words.split(), body, None)
            elif kind in ("d", "c") and words:
                (self.directory / "work" / words).write_text(body)
            elif kind in ("output", "like", "seen", "once") and current:
                yield current[:3] + ((kind, body),)
                current = None
        if current:
            yield current


def test(name, least, at_once=1):
    """Runs all blocks of docs/NAME, which are at least so many, several at a time; returns the status of a test."""
    path = TESTS.parent / "docs" / name
    failed = skipped = 0
    with tempfile.TemporaryDirectory() as directory:
        page = Page(path, directory)
        examples = list(page.examples())

        def judge(example):
            line, words, script, shown = example
            why = page.missing(words)
            return why, None if why else page.problem(script, words, shown)

        with concurrent.futures.ThreadPoolExecutor(at_once) as workers:
            for (line, _, script, _), (why, problem) in zip(examples, workers.map(judge, examples)):
                if why:
                    skipped += 1
                    print(f"{name}:{line}: skipped: {why}")
                if problem:
                    failed += 1
                    print(f"{name}:{line}:\n{script}{problem}")
    print(f"{len(examples)} examples, {failed} failed, {skipped} skipped")
    if len(examples) < least:
        print(f"there should be at least {least}")
    return 1 if failed or len(examples) < least else 0
