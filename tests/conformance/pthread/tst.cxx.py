"""Threads and conditions of C++ are what pthread tells: tests/workloads/cxx_threads."""
import os
import pathlib
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
WORKLOAD = pathlib.Path(DTRACE).parent / "../../tests/workloads/cxx_threads"
run = subprocess.run([DTRACE, "-q", "-c", str(WORKLOAD), "-n", 'pthread$target::: { @[probename, arg0] = count(); }'
                      ' END { printa("got %s %x %@d\\n", @); }'], capture_output=True, text=True, timeout=25)
lines = [line.split() for line in run.stdout.splitlines()]
wanted = {tuple(line[1:]) for line in lines if line[:1] == ["want"]}
got = {tuple(line[1:]) for line in lines if line[:1] == ["got"]}
if run.returncode != 0 or run.stderr or not wanted or wanted != got:
    sys.exit(f"exit status {run.returncode}\n{run.stderr}missing {sorted(wanted - got)}\nunexpected {sorted(got - wanted)}")
