"""For the tests of points of languages and servers: traces a program that says "ready", and does a known thing when it gets a line."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

STAP = os.environ["STAP"]


def skip_without(command, package):
    """Ends the test where there is nothing to trace."""
    if not shutil.which(command):
        print(f"there is no {command} ({package})")
        sys.exit(77)


def trace(traced, script, *options):
    """What stap prints of the process, as lines; it is told to go on when the probes are live, which is after `begin`."""
    ready = 'global goes probe timer.ms(10) { if (!goes) println("goes") goes = 1 }\n'
    tracer = subprocess.Popen([STAP, *options, "-x", str(traced.pid), "-e", ready + script],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    first = tracer.stdout.readline()
    if first != "goes\n":
        traced.kill()
        print(first + tracer.communicate()[0])
        sys.exit(1)
    traced.communicate("\n", timeout=60)
    out = tracer.communicate(timeout=60)[0]
    return tracer.returncode, out.splitlines()


def start(command, name, source, **environment):
    """The process of the command with a script of this name."""
    with tempfile.TemporaryDirectory() as work:
        script = pathlib.Path(work) / name
        script.write_text(source)
        traced = subprocess.Popen([*command, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, **environment})
        if traced.stdout.readline() != "ready\n":
            sys.exit(f"{command[0]} does not start")
    return traced


def must_be(status, got, wanted):
    if status != 0 or sorted(got) != sorted(wanted):
        print(f"exit status {status}\n" + "\n".join(sorted(got)) + "\nwanted\n" + "\n".join(sorted(wanted)))
        sys.exit(1)


def must_list(points, wanted):
    """`stap -L` of the points has these lines, of variables of the alias without those that begin with $."""
    said = subprocess.run([STAP, "-L", points], capture_output=True, text=True, timeout=60)
    lines = [" ".join(word for word in line.split(" ") if not word.startswith("$")) for line in said.stdout.splitlines()]
    missing = [line for line in wanted if line not in lines]
    if missing:
        print(f"stap -L '{points}' has no\n" + "\n".join(missing) + "\nin\n" + "\n".join(lines) + "\n" + said.stderr)
        sys.exit(1)
