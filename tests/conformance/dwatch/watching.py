"""For the tests of dwatch(1): runs it beside a workload. It is live when it says what it watches."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

DWATCH = os.path.join(os.environ["BUILD"], "src/dwatch/dwatch")
# Date, user and group, program and process.
LINE = r"^\d{4} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (\d+)\.(\d+) (\S+)\[(\d+)\]: (.*)$"


def fail(text):
    sys.exit(text)


def same(what, have, want):
    if have != want:
        fail(f"{what}: {have}, wanted {want}")


def run(*options, status=0, **how):
    """What it prints, for what ends by itself; both outputs."""
    done = subprocess.run([DWATCH, *map(str, options)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, **how)
    same(f"status of {options}: {done.stderr}", done.returncode, status)
    return done.stdout, done.stderr


class Watch:
    """`with Watch("-X", "open") as one:`, then one.text and one.rows: what LINE has found."""

    def __init__(self, *options):
        self.out, self.err = tempfile.NamedTemporaryFile("w+"), tempfile.NamedTemporaryFile("w+")
        self.options = [str(option) for option in options]

    def __enter__(self):
        self.process = subprocess.Popen([DWATCH, *self.options], stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err)
        self._wait(lambda: "INFO Watching" in pathlib.Path(self.err.name).read_text())
        return self

    def _wait(self, has_come):
        end = time.monotonic() + 60
        while not has_come():
            if self.process.poll() is not None or time.monotonic() > end:
                fail(f"{self.options}: {pathlib.Path(self.err.name).read_text()}{pathlib.Path(self.out.name).read_text()}")
            time.sleep(0.02)

    def shows(self, pattern):
        """Waits for this."""
        self._wait(lambda: re.search(pattern, pathlib.Path(self.out.name).read_text(errors="replace"), re.M))

    def ends(self):
        """Waits until it ends by itself."""
        self.process.wait(60)

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(60)
        self.text = pathlib.Path(self.out.name).read_text(errors="replace")
        self.said = pathlib.Path(self.err.name).read_text(errors="replace")
        self.rows = re.findall(LINE, self.text, re.M)
        if kind is None and status != 0:
            fail(f"{self.options}: status {status}: {self.said}")
