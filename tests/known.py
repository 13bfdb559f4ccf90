"""What is known of tests before they run: which may run again (disturbed.txt), which may be skipped (skips.txt), and
how long they take (times.txt).

The files have one entry a line, `#` begins a comment, and names are globs: `area/tst.name.sh` of conformance tests,
`directory/Suite.Name` of unit tests.
"""
import fnmatch
import pathlib
import re
import subprocess

TOP = pathlib.Path(__file__).resolve().parent


def entries(path, fields):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        words = line.split(None, fields - 1)
        if len(words) != fields:
            raise SystemExit(f"{path}:{number}: {fields} fields are needed")
        yield words


class Times:
    """`<test> <seconds on the host> <seconds in a guest>`: about how long tests take, so that the longest begin first.

    A test that is not there takes less than SHORT_S seconds on both.
    """

    SHORT_S = 1

    def __init__(self, machine, path=TOP / "times.txt"):
        self.path, self.column = path, 0 if machine == "host" else 1
        self.seconds = {name: [float(host), float(guest)] for name, host, guest in entries(path, 3)}

    def of(self, name):
        return self.seconds.get(name, [0, 0])[self.column]

    def keep(self, took):
        """Writes the file with these times, by the name of the test, in the place of those of the same machine."""
        for name, seconds in took.items():
            self.seconds.setdefault(name, [0, 0])[self.column] = seconds
        head = [line for line in self.path.read_text().splitlines() if line.startswith("#")]
        rows = [f"{name:<34} {host:>5.0f} {guest:>5.0f}" for name, (host, guest) in sorted(self.seconds.items())
                if max(host, guest) >= self.SHORT_S]
        self.path.write_text("\n".join([*head, *rows]) + "\n")


class Disturbed:
    """`<test> <machines> <n> <why>`: the test, or parts of it, may run n times more in one run of tests/run.

    `machines` are names with commas between them, or "any": see Skips.
    """

    def __init__(self, machine, path=TOP / "disturbed.txt"):
        self.limits = [(name, int(times)) for name, machines, times, _ in entries(path, 4)
                       if {machine, "any"} & set(machines.split(","))]

    def limit(self, name):
        return max((times for pattern, times in self.limits if fnmatch.fnmatchcase(name, pattern)), default=0)


class Only:
    """`<test> <machines> <why>`: the tests that run where not all of them are to. `machines` as in Disturbed."""

    def __init__(self, machine, path):
        self.patterns = [name for name, machines, _ in entries(pathlib.Path(path), 3)
                         if {machine, "any"} & set(machines.split(","))]

    def has(self, name):
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.patterns)


class Skips:
    """`<test> <machines> <regex>`: on these machines the test is skipped for a reason that the expression matches.

    `machines` are names with commas between them: "host" and those of guests. With a "?" behind its name a machine may
    skip the test, which depends on what is installed; without it the machine always does, and that is worth a word
    when it does not. "any" is every machine.
    """

    def __init__(self, machine, path=TOP / "skips.txt"):
        self.machine, self.entries = machine, []
        for name, machines, reason in entries(path, 3):
            for one in machines.split(","):
                if one.rstrip("?") in (machine, "any"):
                    self.entries.append((name, not one.endswith("?"), re.compile(reason)))

    def expects(self, name, reason):
        """Whether the skip is in the list. A reason of None is not known, and taken for the right one."""
        return any(fnmatch.fnmatchcase(name, pattern) and (reason is None or regex.search(reason))
                   for pattern, _, regex in self.entries)

    def not_skipped(self, names):
        """Those among the names of tests that ran and are said to be always skipped here."""
        return [name for name in names
                if any(always and fnmatch.fnmatchcase(name, pattern) for pattern, always, _ in self.entries)]


def skipped_by_ctest(log):
    """Names of the tests that a log of ctest shows as skipped."""
    return re.findall(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*\*{3}Skipped", pathlib.Path(log).read_text(), re.M)
