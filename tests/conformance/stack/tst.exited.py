# Stacks of processes that are gone when they are printed have names: of short ones, of children that execute
# nothing, of programs that execute another, and of files that have been deleted.
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, drops, workload  # noqa: E402

home = tempfile.mkdtemp()
name = f"f{os.getpid()}"
program = f"{home}/{name}"


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def trace(clauses, *options):
    """A tracer of the calls that programs of our name make, once its probes are live and it has the unwind tables that
    the program needs: it has met the program, which has had another name then."""
    if not os.path.exists(program):
        shutil.copy(workload("frames"), program)
    tracer = subprocess.Popen(
        [DTRACE, "-q", *options, "-n", "BEGIN { printf(\"live\\n\"); } "
         f"syscall::getppid:entry /execname == \"b{name}\"/ {{ printf(\"depth %d\\n\", ustackdepth); }}"
         f"syscall::getppid:entry /execname == \"{name}\"/ {{ {clauses} }}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(tracer.stdout.readline() == "live\n", tracer.poll())
    os.symlink(program, f"{home}/b{name}")
    tracer.met = ""
    while not any(depth >= WHOLE for depth in depths(tracer.met)):
        subprocess.run([f"{home}/b{name}"], check=True, timeout=20)
        tracer.met += tracer.stdout.readline()
    os.unlink(f"{home}/b{name}")
    return tracer


WHOLE = 6  # frames at least: three of the program, main() and those that have called it


def depths(text):
    return [int(depth) for depth in re.findall(r"^depth (\d+)$", text, re.M)]


class EndsEarly(Exception):
    """The table of a program was not there yet when a stack came to it, which is said."""


def end(tracer):
    tracer.send_signal(signal.SIGINT)
    out, err = tracer.communicate(timeout=60)
    expected = sum(depth < WHOLE for depth in depths(tracer.met + out))  # while it met the program
    if (early := re.search(r"^dtrace: (\d+) user stacks? (?:is|are) cut short: code .*\n", err, re.M)) and int(early[1]) > expected:
        raise EndsEarly(early[0].strip())
    err = err.replace(early[0], "") if early else err
    check(tracer.returncode == 0 and re.fullmatch(r"(dtrace: \d+ drops? on CPU \d+\n)*", err), tracer.returncode, err)
    return out, drops(err)  # there are some where the kernel may preempt a probe


def holds(tracer, path):
    """Whether the tracer has opened the file, which is deleted then."""
    descriptors = f"/proc/{tracer.pid}/fd"
    for number in os.listdir(descriptors):
        try:
            if os.readlink(f"{descriptors}/{number}") == path:
                return True
        except FileNotFoundError:
            pass  # closed since they were listed
    return False


def remove(tracer):
    """Once the tracer holds the file, or has had the time to hold it and to read it."""
    deadline = time.monotonic() + 1
    while not holds(tracer, program) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.unlink(program)


def runs(*arguments, times=1):
    for _ in range(times):
        subprocess.run([program, *arguments], check=True, timeout=20)


STACK = re.compile(rf" +{name}`inner\+0x\w+\n +{name}`middle\+0x\w+\n +{name}`outer\+0x\w+\n +{name}`main\+0x\w+\n")
NUMBER = re.compile(r"^ +0x[0-9a-f]+$", re.M)  # libc's, which has no frame pointers, may be

# As keys, as records that wait, and as single addresses; the file goes with the last of them.
def keys():
    tracer = trace("@[ustack(4)] = count();")
    for arguments in ((), ("fork",), ("exec",)):
        runs(*arguments, times=20)
    remove(tracer)
    out, lost = end(tracer)
    stacks = STACK.findall(out)
    check(len(stacks) == out.count("inner"), out)
    check(not NUMBER.search(out), out)
    counts = [int(n) for n in re.findall(r"^ +(\d+)$", out, re.M)]
    check(3 * 20 * 4 - lost <= sum(counts) <= 3 * 20 * 4 and stacks, counts, lost)


def records():
    tracer = trace('printf("<"); ustack(4); printf("%A %A>", ucaller, uregs[R_RIP]);', "-x", "switchrate=1s")
    runs("exec", times=5)
    remove(tracer)
    out, lost = end(tracer)
    records = out.count("<")
    check(30 - lost <= records <= 30 and records > 0 and len(STACK.findall(out)) == records, out)
    check(len(re.findall(rf"{name}`\w+\+0x\w+ {name}`inner\+0x\w+>", out)) == records, out)


def addresses():
    tracer = trace("@[usym(uregs[R_RIP])] = count(); @m[umod(uregs[R_RIP])] = count(); "
                   "@a[ustack(2), pid] = count();")
    runs(times=5)
    runs("fork", times=5)
    out, lost = end(tracer)
    for text in (rf"^  {name}`inner +3$", rf"^  {name} +3$", rf"{name}`middle\+0x\w+\n +\d+ +3$"):
        check(10 - lost <= len(re.findall(text, out, re.M)) <= 10, text, out)


# One that was there before, and ends before anybody has looked.
def earlier():
    shutil.copy(workload("frames"), program)
    sleeper = subprocess.Popen([program, "late"], stdin=subprocess.PIPE, text=True)
    # Until the tracer has read what the process maps.
    watcher = subprocess.Popen(
        [DTRACE, "-q", "-n", "BEGIN { printf(\"live\\n\"); } "
         f"syscall::openat:entry /pid != $pid && copyinstr(arg1) == \"/proc/{sleeper.pid}/maps\"/ {{ self->reads = 1; }} "
         "syscall::close:entry /self->reads/ { exit(0); }"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    check(watcher.stdout.readline() == "live\n", watcher.poll())
    tracer = trace("@[ustack(4)] = count();")
    check(watcher.wait(timeout=20) == 0, watcher.returncode)
    sleeper.communicate("go\n", timeout=20)
    out, lost = end(tracer)
    check((len(STACK.findall(out)) == 1 or lost > 0) and not NUMBER.search(out), out)


for scenario in (keys, records, addresses, earlier):
    while True:
        try:
            scenario()
            break
        except EndsEarly as early:
            again(f"{scenario.__name__}: {early}")
shutil.rmtree(home)
