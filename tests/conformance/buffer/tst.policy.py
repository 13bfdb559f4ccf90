# bufpolicy=fill keeps the first records and ends; bufpolicy=ring keeps the last ones.
import os
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, drops, workload  # noqa: E402

CALLS = 100_000
# Firings that the kernel suppresses are drops, those of other processes too; more where it preempts programs.
FEW = CALLS // (20 if int(os.uname().release.split(".")[0]) >= 7 else 1000)
SCRIPT = 'syscall::getppid:entry /pid == $target/ { printf("%d\\n", n++); } END { printf("end %d\\n", n); }'


def numbers(policy, *more):
    load = f"taskset -c 0 {workload('getppid')} {CALLS}"
    done = subprocess.run([DTRACE, "-q", "-x", f"bufpolicy={policy}", "-b", "4k", *more, "-n", SCRIPT, "-c", load],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{policy}: exit status {done.returncode}: {done.stderr}")
    *lines, end, counted = done.stdout.split()
    if end != "end":
        sys.exit(f"{policy}: END printed {end} {counted}")
    return [int(line) for line in lines], int(counted), drops(done.stderr)


def undisturbed(policy):
    """Where a thread was preempted in the program, firings of others on its CPU are suppressed: this load's, too."""
    for _ in range(8):
        result = numbers(policy)
        if result[2] == 0:
            break
    return result


def check(name, is_good, *what):
    print(f"{name}: {'good' if is_good else 'BAD'}")
    if not is_good:
        sys.exit(f"{name}: {what}")


first, counted, dropped = undisturbed("fill")
check("fill keeps the first records, without a gap", first == list(range(len(first))), first[:20])
check("fill keeps a buffer full", 100 < len(first) < 2000, len(first))
check("fill ends when the buffer is full", counted < CALLS, counted)
check("what comes after the end is no drop", dropped <= FEW, dropped)

last, counted, dropped = undisturbed("ring")
check("ring traces to the end", counted <= CALLS <= counted + dropped, (counted, dropped))
check("ring keeps a buffer full", 100 < len(last) < 2000, len(last))
check("ring keeps the last records", dropped > 0 or last == list(range(CALLS - len(last), CALLS)), last[-20:])
check("ring drops nothing of so few", dropped <= FEW, (counted, dropped))

done = subprocess.run([DTRACE, "-x", "bufpolicy=round", "-n", "BEGIN"], capture_output=True, text=True)
check("another policy is refused", done.returncode == 1 or done.returncode == 2, done)
check("and it is said why", "bufpolicy" in done.stderr, done.stderr)
