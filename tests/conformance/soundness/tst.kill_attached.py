# kill -9 while probes in user code are attached, are there, or are detached: the traced program's code is then
# what its file has, byte for byte. The program has a C library of its own, so that breakpoints that stayed
# would slow nobody else.
# @@timeout: 240
# @@host
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
import soundness

random.seed(11)
work = pathlib.Path(tempfile.mkdtemp())
library = work / "libc.so.6"
real = next(line.split()[5] for line in open("/proc/self/maps") if line.rstrip().endswith("libc.so.6"))
shutil.copy(real, library)


def changed_bytes(pid):
    """How many bytes of the library's code differ in the process from the file."""
    for line in open(f"/proc/{pid}/maps"):
        fields = line.split()
        if len(fields) > 5 and fields[5] == str(library) and "x" in fields[1]:
            begin, end = (int(place, 16) for place in fields[0].split("-"))
            with open(f"/proc/{pid}/mem", "rb") as memory:
                memory.seek(begin)
                there = memory.read(end - begin)
            wanted = library.read_bytes()[int(fields[2], 16):][:end - begin]
            return sum(a != b for a, b in zip(there, wanted))
    return None


def soon(condition, seconds=60):
    until = time.time() + seconds
    while not condition():
        if time.time() > until:
            return False
        time.sleep(0.02)
    return True


def start_program():
    process = subprocess.Popen(["sleep", "infinity"], env=dict(os.environ, LD_LIBRARY_PATH=str(work)))
    if not soon(lambda: changed_bytes(process.pid) is not None):
        sys.exit("the program has not mapped its library")
    return process


failures = 0
attached = 0
try:
    program = start_program()
    for turn in range(40 * soundness.SCALE):
        tracer = subprocess.Popen([soundness.DTRACE, "-q", "-p", str(program.pid), "-n",
                                   "pid$target:libc::entry { @ = count(); } BEGIN { printf(\"go\\n\"); }"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  start_new_session=True)
        if turn % 2 == 1:  # at a moment of detaching
            tracer.stdout.readline()
            attached += changed_bytes(program.pid) > 1000
            tracer.send_signal(signal.SIGINT)
            time.sleep(random.uniform(0, 0.05))
        else:
            time.sleep(random.uniform(0, 0.3))
        os.killpg(tracer.pid, signal.SIGKILL)
        tracer.wait()
        tracer.stdout.close()
        if not soon(lambda: changed_bytes(program.pid) == 0):
            failures += 1
            print(f"turn {turn}: {changed_bytes(program.pid)} bytes of code are not what they were")
            program.kill()
            program.wait()
            program = start_program()
    if attached == 0:
        failures += 1
        print("no turn had probes in the program's code")
finally:
    program.kill()
    program.wait()
    shutil.rmtree(work)
soundness.wait_until_gone()
sys.exit(1 if failures else 0)
