"""For the soundness tests: fired = recorded + dropped, as an equation."""
import os
import re
import subprocess
import sys
import time

DTRACE = os.environ["DTRACE"]
WORKLOADS = os.path.join(os.environ["BUILD"], "tests/workloads")


# `make soak-soundness` sets it: so many times as much of everything.
SCALE = int(os.environ.get("DT_SOAK", "1"))
# The same for calls that are traced; a guest, which is emulated, makes fewer.
EVENTS = SCALE if "DT_GUEST" in os.environ else 2 * SCALE


def objects():
    """What of ours is in the kernel though no process has it, as text."""
    return subprocess.run([workload("bpf_objects")], capture_output=True, text=True, check=True).stdout


def wait_until_gone(seconds=30):
    """The kernel frees some things a little later; and what others begin just now is in no list yet."""
    until = time.time() + seconds
    while not (left := objects()).startswith("0 programs, 0 maps, 0 links"):
        if time.time() > until:
            sys.exit("left in the kernel: " + left)
        time.sleep(0.2)


def workload(name):
    return os.path.join(WORKLOADS, name)


def drops(err):
    """Drops of records that were reported, over all CPUs."""
    return sum(int(n) for n in re.findall(r"^dtrace: (\d+) drops? on CPU \d+$", err, re.M))


def aggregation_drops(err):
    return sum(int(n) for n in re.findall(r"^dtrace: (\d+) aggregation drops? on CPU \d+$", err, re.M))


def trace(arguments, reader=None):
    """Runs dtrace; `reader` consumes standard output instead of taking it at once."""
    process = subprocess.Popen([DTRACE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    if reader is None:
        out, err = process.communicate()
    else:
        out = reader(process)
        rest, err = process.communicate()
        out += rest
    if process.returncode != 0:
        print(out[-2000:], err)
        sys.exit(f"dtrace ended with {process.returncode}")
    return out, err


def equation(name, fired, recorded, dropped):
    """Nothing is lost in silence, and nothing is counted twice: an equation, without slack.

    Before Linux 7 the kernel runs programs of tracepoints without preemption (the handler of a tracepoint disables it),
    and no interrupt makes a system call, so no firing is suppressed: all drops are of records of our own. Since Linux 7
    a thread may be preempted in such a program, firings on its CPU are suppressed until it goes on, and the kernel
    counts them for the program, those of all processes. So there what is dropped may be more than what was lost, by no
    more than all drops; what is recorded may still not be more than what fired, and with no drops both are equal.
    """
    print(f"{name}: fired {fired} = recorded {recorded} + dropped {dropped}")
    if "DT_FIRED" in os.environ:  # `make soak-soundness` adds them up
        with open(os.environ["DT_FIRED"], "a") as file:
            print(fired, file=file)
    unaccounted = fired - recorded - dropped
    counts_others = int(os.uname().release.split(".")[0]) >= 7
    if unaccounted > 0 or recorded > fired or (unaccounted < 0 and not counts_others):
        sys.exit(f"{name}: {unaccounted} are unaccounted for")
