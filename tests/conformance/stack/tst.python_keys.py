# @@timeout: 120
# Stacks of Python's functions as keys: each is one key, with the count that the program knows, in all of its threads at
# once, whether they hold the interpreter's lock or not; of processes that have ended; and samples of all processes.
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from cpython import PYTHON  # noqa: E402

DTRACE = os.environ["DTRACE"]
work = tempfile.mkdtemp()


def check(condition, *shown):
    if not condition:
        shutil.rmtree(work)
        sys.exit(f"line {sys._getframe(1).f_lineno}: " + "\n".join(map(str, shown)))


def write(name, text):
    with open(f"{work}/{name}", "w", encoding="utf-8") as file:
        file.write(text)
    return f"{work}/{name}"


def counts(out):
    """By the functions and lines of Python of a stack: how often. The interpreter may call one in several ways."""
    found, seen = {}, set()
    for stack, count in re.findall(r"^((?: +\S.*\n)+?) +(\d+)\n", out, re.M):
        frames = tuple(re.findall(r"^ +(\S+) \(" + re.escape(work) + r"/(\S+:\d+)\)$", stack, re.M))
        check(stack not in seen, stack, out)
        seen.add(stack)
        found[frames] = found.get(frames, 0) + int(count)
    return found


def start(*arguments):
    program = subprocess.Popen([PYTHON, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    check(program.stdout.readline() == "ready\n", "the program did not begin")
    return program


def trace(script, program, *options):
    tracer = subprocess.Popen([DTRACE, "-q", "-p", str(program.pid), *options, "-n", 'BEGIN { printf("live\\n"); }' + script],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(tracer.stdout.readline() == "live\n", "tracing did not begin")
    program.communicate("go", timeout=60)
    out, err = tracer.communicate(timeout=60)
    said = re.sub(r"^dtrace: \d+ user stacks? (?:is|are) cut short: code .*\n", "", err, flags=re.M)  # of other programs
    check(tracer.returncode == 0 and said == "", tracer.returncode, err, out)
    return out


threads = write("threads.py", """import os, sys, threading
os.dup2(os.open("/dev/null", os.O_RDONLY), 77)
def call():
    os.getppid()
    os.read(77, 1)
def deep(n):
    if n > 0:
        deep(n - 1)
    else:
        call()
def work(n):
    for _ in range(50):
        deep(n)
all = [threading.Thread(target=work, args=(n,)) for n in range(8)]
print("ready", flush=True)
sys.stdin.read(1)
for one in all: one.start()
for one in all: one.join()
""")
out = trace("""syscall::getppid:entry /pid == $target/ { @a[jstack()] = count(); }
               syscall::read:entry /pid == $target && arg0 == 77/ { @b[jstack()] = count(); }""", start(threads))
stacks = counts(out)
for line in 4, 5:
    for n in range(8):
        wanted = (("call", f"threads.py:{line}"), ("deep", "threads.py:10"), *n * [("deep", "threads.py:8")], ("work", "threads.py:13"))
        check(stacks.pop(wanted, 0) == 50, wanted, out)
check(not any(stacks), stacks, out)

# Programs that are there for a moment; printed when all of them have gone.
brief = write("brief.py", """import os, sys
def outer(): inner()
def inner(): os.getppid()
outer()
os._exit(0)
""")
starter = write("starter.py", f"""import os, sys
print("ready", flush=True)
sys.stdin.read(1)
for _ in range(5):
    if os.fork() == 0:
        os.execv("{PYTHON}", ["brief", "-I", "-S", "{brief}"])
    os.wait()
""")
out = trace('syscall::getppid:entry /ppid == $target/ { @[jstack(10)] = count(); }', start(starter))
ended = [match for match in re.findall(r"^ +inner \((\S+):3\)\n +outer \((\S+):2\)\n +<module> \((\S+):4\)\n", out, re.M)]
check(ended == 5 * [(brief, brief, brief)], ended, out)

# Samples of the whole system: where a program can be, and nothing else.
busy = write("busy.py", """import sys, time
def spin(n):
    return sum(x for x in range(n))
def turn(until):
    while time.monotonic() < until:
        sorted([3, 2, 1], key=lambda x: spin(2000))
def main():
    turn(time.monotonic() + 3)
print("ready", flush=True)
sys.stdin.read(1)
main()
""")
program = start(busy)
out = trace(f"profile-997hz /arg1/ {{ @[pid, jstack()] = count(); }}", program)
# A function begins at the line of its def.
known = {"spin": {2, 3}, "spin.<locals>.<genexpr>": {3}, "turn.<locals>.<lambda>": {6}, "turn": {4, 5, 6}, "main": {7, 8},
         "<module>": {9, 10, 11}}
whole, samples = 0, 0
for stack, count in re.findall(rf"^ +{program.pid}\n((?: +\S.*\n)+?) +(\d+)\n", out, re.M):
    frames = re.findall(r"^ +(\S+) \(" + re.escape(busy) + r":(\d+)\)$", stack, re.M)
    check(all(int(line) in known[name] for name, line in frames), stack)
    samples += int(count)
    if [name for name, _ in frames][-3:] == ["turn", "main", "<module>"]:
        whole += int(count)
check(samples > 50 and whole > 0.9 * samples, whole, samples, out)
shutil.rmtree(work)
