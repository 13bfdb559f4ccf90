# Stacks as keys: 1,024 ways down the same functions are 1,024 keys, each counted
# exactly on two CPUs; taken out while more come in; and in tables that are too small.
# @@timeout: 120
import collections
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import soundness

WAYS, THREADS, ROUNDS = 1024, 2, 60 * soundness.EVENTS
PATHS = f"{soundness.workload('paths')} {THREADS} {ROUNDS}"
WHEN = "syscall::getppid:entry /pid == $target/"
FIRED = WAYS * THREADS * ROUNDS
# While a thread is preempted in a program, firings on its CPU are suppressed, and counted.
IS_PREEMPTED = int(os.uname().release.split(".")[0]) >= 7


def counts(out):
    """How often each stack came, by the text of its calls within walk()."""
    found = collections.Counter()
    for stack, count in re.findall(r"<(.*?)> (\d+)\n", out, re.S):
        # The innermost frame is the call itself, and each thread has a base of its own.
        found[tuple(re.findall(r"`walk\+(0x[0-9a-f]+)", stack))] += int(count)
    return found


def check_exact(name, out, err):
    """Every stack, and of each as many as came; of all together, those that Linux 7 suppressed are counted."""
    lost = soundness.drops(err)
    if soundness.aggregation_drops(err) or (lost and not IS_PREEMPTED):
        sys.exit(f"{name}: {err}")
    found = counts(out)
    soundness.equation(name, FIRED, sum(found.values()), lost)
    of_each = THREADS * ROUNDS
    if len(found) != WAYS or not all(of_each - lost <= count <= of_each for count in found.values()):
        sys.exit(f"{name}: {len(found)} stacks, counts {sorted(set(found.values()))[:8]}")


out, err = soundness.trace(["-q", "-c", PATHS, "-n", f"{WHEN} {{ @[ustack()] = count(); }}",
                            "-n", 'END { printa("<%k> %@d\\n", @); }'])
check_exact("one key", out, err)

# Two stacks in a key, and a second aggregation with the same keys and one with fewer frames.
out, err = soundness.trace(["-q", "-c", PATHS, "-n",
                            WHEN + " { @[ustack(), stack()] = count(); @twice[ustack(), stack()] = sum(2); "
                            "@short[ustack(9)] = count(); }",
                            "-n", 'END { printa("<%k%k> %@d %@d\\n", @, @twice); }',
                            "-n", 'END { printf("short\\n"); printa("<%k> %@d\\n", @short); }'])
both, short = out.split("short\n")
check_exact("both stacks", re.sub(r"(> \d+) \d+\n", r"\1\n", both), err)
if any(int(twice) != 2 * int(once) for once, twice in re.findall(r"> (\d+) (\d+)\n", both)):
    sys.exit("the sum is not twice the count")
soundness.equation("nine frames", FIRED, sum(counts(short).values()), soundness.drops(err))
if len(counts(short)) != 256:
    sys.exit(f"nine frames: {len(counts(short))} stacks")

# Taken out and entered again all the time.
out, err = soundness.trace(["-q", "-c", PATHS, "-n", f"{WHEN} {{ @[ustack()] = count(); }}",
                            "-n", 'tick-20ms { printa("<%k> %@d\\n", @); trunc(@); }',
                            "-n", 'END { printa("<%k> %@d\\n", @); }'])
check_exact("truncated", out, err)

# Tables with room for a few hundred stacks.
out, err = soundness.trace(["-q", "-x", "aggsize=32k", "-c", PATHS, "-n", f"{WHEN} {{ @[ustack()] = count(); }}",
                            "-n", 'END { printa("<%k> %@d\\n", @); }'])
dropped = soundness.aggregation_drops(err)
soundness.equation("small tables", FIRED, sum(counts(out).values()), dropped + soundness.drops(err))
if dropped == 0 or not counts(out):
    sys.exit(f"small tables: {len(counts(out))} stacks, {dropped} drops")
