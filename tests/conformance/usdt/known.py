"""For the tests that trace a program of some language and know what it does."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]


def skip_without(command, package):
    """Ends the test where there is nothing to trace, or nothing to trace with."""
    if not shutil.which(command):
        print(f"there is no {command} ({package})")
        sys.exit(77)


def check(command, name, source, program, wanted, **environment):
    """Traces `command` with a script of this name, which says "ready" and reads a line; the rows must be those wanted."""
    with tempfile.TemporaryDirectory() as work:
        script = pathlib.Path(work) / name
        script.write_text(source)
        traced = subprocess.Popen([*command, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, **environment})
        traced.stdout.readline()
        tracer = subprocess.Popen([DTRACE, "-q", "-p", str(traced.pid), "-n", 'BEGIN { printf("goes\\n"); }' + program],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        first = tracer.stdout.readline()
        traced.communicate("\n", timeout=30)
        got = sorted(line for line in tracer.communicate(timeout=30)[0].splitlines() if line)
    if first != "goes\n" or got != wanted or tracer.returncode != 0:
        print(f"exit status {tracer.returncode}\n{first}" + "\n".join(got) + "\nwanted\n" + "\n".join(wanted))
        sys.exit(1)
