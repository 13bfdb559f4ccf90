# How often a thread was put on a queue and taken off it, against the kernel's count of its turns on CPUs. (Between
# two calls of getppid() the thread runs at both ends, so that it has been put there as often.) Some hosts hide threads
# of process 1 from tracing, and with them what happens when such a thread gives its CPU away.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

SCRIPT = """
syscall::getppid:entry /pid == $target && !calls++/ { on = 1; turns = curthread->sched_info.pcount; }
sched:::enqueue /on && args[0]->pr_lwpid == $target/ { in++; wrong += args[2]->cpu_id != args[0]->pr_onpro; }
sched:::dequeue /on && args[1]->pr_pid == $target/ { out++; wrong += args[2]->cpu_id != cpu; }
syscall::getppid:entry /pid == $target && calls == 3/ { on = 0; turns = curthread->sched_info.pcount - turns; }
sched:::enqueue, sched:::dequeue /args[0]->pr_lwpid == 0/ { wrong++; }
END { printf("%d %d %d %d", turns, in, out, wrong); }
"""
# Another program on the same CPU, so that it is preempted, too.
cpu = str(min(os.sched_getaffinity(0)))
with subprocess.Popen(["taskset", "-c", cpu, "sh", "-c", "while :; do :; done"]) as other:
    try:
        while True:
            done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", f"taskset -c {cpu} {workload('naps')}"],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            print(done.stdout, done.stderr)
            counts = re.fullmatch(r"(\d+) (\d+) (\d+) 0\n?", done.stdout)
            if done.returncode != 0 or not counts or (done.stderr and "drop" not in done.stderr):
                sys.exit(f"exit status {done.returncode}")
            turns, enqueued, dequeued = map(int, counts.groups())
            if enqueued > turns or dequeued > turns or turns < 2:
                sys.exit("more than the kernel has counted")
            if enqueued == dequeued == turns:
                break
            again(f"{enqueued} and {dequeued} of {turns} turns were seen")
    finally:
        other.kill()
