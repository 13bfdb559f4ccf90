"""For the soundness tests: fired = recorded + dropped, as an equation."""
import os
import re
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
WORKLOADS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(DTRACE))), "tests/workloads")


def workload(name):
    return os.path.join(WORKLOADS, name)


def drops(err):
    """Drops of records that were reported, over all CPUs."""
    return sum(int(n) for n in re.findall(r"^dtrace: (\d+) drops? on CPU \d+$", err, re.M))


def aggregation_drops(err):
    return sum(int(n) for n in re.findall(r"^dtrace: (\d+) aggregation drops? on CPU \d+$", err, re.M))


def trace(arguments, timeout=120, reader=None):
    """Runs dtrace; `reader` consumes standard output instead of taking it at once."""
    process = subprocess.Popen([DTRACE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    if reader is None:
        out, err = process.communicate(timeout=timeout)
    else:
        out = reader(process)
        rest, err = process.communicate(timeout=timeout)
        out += rest
    if process.returncode != 0:
        print(out[-2000:], err)
        sys.exit(f"dtrace ended with {process.returncode}")
    return out, err


def equation(name, fired, recorded, dropped):
    """Nothing is lost in silence, and nothing is counted twice.

    Firings that the kernel suppresses because the program already runs on that CPU are drops too, and the kernel counts
    those of all processes: a few more drops than were lost are other processes' firings.
    """
    print(f"{name}: fired {fired} = recorded {recorded} + dropped {dropped}")
    unaccounted = fired - recorded - dropped
    if unaccounted > 0 or recorded > fired or -unaccounted > fired // 1000:
        sys.exit(f"{name}: {unaccounted} are unaccounted for")
