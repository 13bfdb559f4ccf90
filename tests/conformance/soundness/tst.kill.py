# kill -9 at random moments, a hundred times: nothing of ours stays in the kernel.
# @@timeout: 120
import os
import random
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import soundness

random.seed(7)
PROGRAM = ("syscall:::entry { self->t = timestamp; @[execname] = count(); } "
           "syscall:::return /self->t/ { @q = quantize(timestamp - self->t); self->t = 0; a[tid] = 1; trace(pid); } "
           "profile-97 { @s[stack()] = count(); }")
MINE = {}


def objects():
    return subprocess.run([soundness.workload("bpf_objects")], capture_output=True, text=True, check=True).stdout


for round in range(100):
    process = subprocess.Popen([soundness.DTRACE, "-q", "-n", PROGRAM], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(random.uniform(0, 0.06))
    process.kill()
    process.wait()

# Other tests may be tracing at the same time: what is left of ours does not go
# away, what is theirs does.
until = time.time() + 90
while True:
    left = objects()
    print(left, end="")
    if left.startswith("0 programs, 0 maps"):
        break
    if time.time() > until:
        sys.exit("left in the kernel: " + left)
    time.sleep(0.2)
