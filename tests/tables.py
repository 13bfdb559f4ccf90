"""Tables of one-liners: what is typed, and all that dtrace then prints.

A table is a list of Case; check() runs them and fails with each that printed something else. In TZ=UTC.
"""
import concurrent.futures
import os
import re
import subprocess

ENVIRONMENT = dict(os.environ, TZ="UTC")


class Case:
    """A program, and the whole of its standard output: a text, or a pattern for all of it.

    A program that has traced ends its output with an empty line; `newline` says whether `out` leaves it out.
    `err` is a pattern that is somewhere in standard error; "" is that there is none, and None that any may be there.
    """

    def __init__(self, script, out, options=(), status=0, err="", quiet=True, words=(), stdin=None, newline=None):
        self.options, self.script, self.words = (["-q"] if quiet else []) + list(options), script, list(words)
        self.out, self.status, self.err, self.stdin = out, status, err, stdin
        has_traced = not (status in (1, 2) and out == "")
        self.newline = has_traced if newline is None else newline

    def command(self):
        script = ["-n", self.script] if self.script is not None else []
        return [os.environ["DTRACE"]] + self.options + script + self.words

    def run(self):
        command = self.command()
        given = {"stdin": subprocess.DEVNULL} if self.stdin is None else {"input": self.stdin}
        ran = subprocess.run(command, capture_output=True, text=True, errors="replace", env=ENVIRONMENT, check=False,
                             **given)
        wrong = []
        if isinstance(self.out, re.Pattern):
            if not self.out.fullmatch(ran.stdout):
                wrong.append(f"printed {ran.stdout!r}\n wanted {self.out.pattern!r}")
        elif ran.stdout != self.out + ("\n" if self.newline else ""):
            wrong.append(f"printed {ran.stdout!r}\n wanted {self.out!r}")
        if ran.returncode != self.status:
            wrong.append(f"status {ran.returncode}, wanted {self.status}")
        if self.err is not None and not (re.search(self.err, ran.stderr) if self.err else ran.stderr == ""):
            wrong.append(f"standard error {ran.stderr!r}\n wanted {self.err!r}")
        return "\n ".join([f"{os.path.basename(command[0])} {' '.join(command[1:])!r}"] + wrong) if wrong else None


class Stap(Case):
    """A script in the SystemTap language. `err` is a text that is somewhere in standard error."""

    def __init__(self, script, out, err="", status=0, words=(), options=()):
        super().__init__(script, out, options, status, err and re.escape(err), False, words, None, False)

    def command(self):
        script = ["-e", self.script] if self.script is not None else []
        return [os.environ["STAP"]] + self.options + script + self.words


def says(body, out, err="", status=0, before="", words=()):
    """What statements of `begin` print, with declarations before it."""
    return Stap(f"{before} probe begin {{ {body} exit() }}".strip(), out, err, status, words)


def prints(arguments, out, before="", declared="", **rest):
    """What printf(arguments) prints in BEGIN."""
    return Case(f"{declared} BEGIN {{ {before} printf({arguments}); exit(0); }}".strip(), out, **rest)


def histogram(*rows):
    """The rows of one histogram: what stands on the left, the columns of its bar, and the count."""
    text = f"\n{'value':>16} {'------------- Distribution -------------':>41} {'count':<9}\n"
    for value, bar, count in rows:
        text += f"{value:>16} |{'@' * bar:<40} {count:<9}\n"
    return text + "\n"


def check(cases):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [text for text in pool.map(Case.run, cases) if text]
    if wrong:
        raise SystemExit("\n".join(wrong) + f"\n{len(wrong)} of {len(cases)} are wrong")
