# A program that naps once and then works: how often it leaves its CPU, why, and who comes next.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402

SCRIPT = """
sched:::off-cpu, sched:::sleep, sched:::preempt /pid == $target/ { @[probename] = count(); }
sched:::off-cpu /pid == $target/ { @next[args[0]->pr_lwpid == tid ? "itself" : "another"] = count(); }
sched:::sleep /pid == $target/ { asleep = timestamp; }
sched:::wakeup /args[1]->pr_pid == $target/ { @["wakeup"] = count(); }
sched:::wakeup /args[0]->pr_lwpid == $target && asleep/ { @longest = max(timestamp - asleep); asleep = 0; }
END { printa("%s %@d\\n", @); printa("next %s %@d\\n", @next); printa("longest %@d\\n", @longest); }
"""
done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", workload("naps")],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
counts = {name: int(value) for name, value in re.findall(r"^(\S.*) (\d+)$", done.stdout, re.M)}
print(counts)
# The last time it leaves, it has ended, and is neither asleep nor could go on.
if counts["off-cpu"] != counts["sleep"] + counts.get("preempt", 0) + 1:
    sys.exit("off-cpu is not sleep and preempt and the end")
if counts.get("next itself", 0) != 0 or counts["next another"] != counts["off-cpu"]:
    sys.exit("the next thread is the one that leaves")
if counts["wakeup"] < counts["sleep"]:
    sys.exit("it slept more often than it was woken")
# Its timer runs from before it leaves the CPU.
if not 50_000_000 <= counts["longest"] < 2_000_000_000:
    sys.exit("its nap of 60 ms is not seen")
