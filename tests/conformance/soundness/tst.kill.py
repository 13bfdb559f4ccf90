# kill -9 at random moments, a hundred times (and ten times that in a soak): nothing of ours stays in the kernel.
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
for turn in range(100 * soundness.SCALE):
    process = subprocess.Popen([soundness.DTRACE, "-q", "-n", PROGRAM], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(random.uniform(0, 0.06))
    process.kill()
    process.wait()

soundness.wait_until_gone()
