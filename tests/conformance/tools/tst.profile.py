# A process that computes: the samples are as many as its time on the CPU says. tools/profile.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

FREQUENCY, SECONDS = 499, 0.6
PROGRAM = f"""
import os, time
os.write(1, b"r")
os.read(0, 1)
end = time.process_time() + {SECONDS}
while time.process_time() < end:
    sum(range(1000))
os.write(1, b"d")
os.read(0, 1)
"""


def samples(text):
    return sum(map(int, re.findall(r"^samples: (\d+)$", text, re.M)))


process = subprocess.Popen([sys.executable, "-S", "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
process.stdout.read(1)
with toolkit.Alone("profile", "-p", process.pid, "-F", FREQUENCY) as both, \
        toolkit.Alone("profile", "-p", process.pid, "-F", FREQUENCY, "-U") as user, \
        toolkit.Alone("profile", "-p", process.pid, "-F", FREQUENCY, "-K") as kernel, \
        toolkit.Alone("profile", "-p", toolkit.another()) as of_another:
    process.stdin.write(b"x")
    process.stdin.flush()
    process.stdout.read(1)
process.communicate(timeout=60)
for what, one in ("both", both), ("user", user), ("kernel", kernel):
    # A virtual machine that stands still loses samples.
    toolkit.same(f"{what}: {samples(one.ours)} samples of {FREQUENCY * SECONDS:.0f}",
                 0.5 * FREQUENCY * SECONDS <= samples(one.ours) <= 1.2 * FREQUENCY * SECONDS + 10, True)
    toolkit.same(what, set(re.findall(r"^(?!samples:)\S+ (\d+)$", one.ours, re.M)), {str(process.pid)})
toolkit.same("stacks of the program", ("python" in user.ours.split("\n", 2)[2], "vmlinux`" in user.ours), (True, False))
toolkit.same("stacks of the kernel", "`_start" in kernel.ours, False)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
