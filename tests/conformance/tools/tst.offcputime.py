# A process that sleeps: what it is away from its CPU is what passes without being used. tools/offcputime.d, and bcc's.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402
from naps import Naps  # noqa: E402

with Naps(100, 0.005) as naps:
    with toolkit.Both("offcputime", ours=["-p", naps.pid], theirs=["-p", naps.pid], live=None) as both:
        away = naps.take() * 1e6

blocks = re.findall(r"^(\S+)(?: is ready: it waits for a CPU)?\n((?:\s*[\w.]+`\S+\n)+)\s*(\d+) us$", both.ours, re.M)
ours = sum(int(us) for _, _, us in blocks)
asleep = sum(int(us) for stack, us in re.findall(r"^\S+\n((?:\s*[\w.]+`\S+\n)+)\s*(\d+) us$", both.ours, re.M) if "nanosleep" in stack)
# A guest stands still now and then, between one clock's reading and the other's.
slack = 0.2 if os.environ.get("DT_GUEST") else 0.05
toolkit.same(f"away for {ours} of {away:.0f} us", abs(ours - away) <= slack * away + 5000, True)
# The kernel may not tell of a few that came back (see tst.runqlat.py).
toolkit.same(f"asleep for {asleep} us", asleep >= 0.95 * 100 * 5000, True)

# Only what took as long as a nap, or longer than any; only threads of the kernel.
with Naps(20, 0.01) as others:
    with toolkit.Alone("offcputime", "-p", others.pid, "-m", 9000, "-M", 5000000) as long, \
            toolkit.Alone("offcputime", "-t", others.pid, "-m", 60000000) as none, \
            toolkit.Alone("offcputime", "-k", "-p", others.pid) as of_kernel, \
            toolkit.Alone("offcputime", "-U", "-p", others.pid) as program, toolkit.Alone("offcputime", "-K", "-p", others.pid) as kernel:
        others.take()
toolkit.same("naps", sum(map(int, re.findall(r"(\d+) us$", long.ours, re.M))) >= 0.9 * 20 * 10000, True)
toolkit.same("longer ones", toolkit.rows(none.ours), [])
toolkit.same("of the kernel", toolkit.rows(of_kernel.ours), [])
toolkit.same("stacks", [("vmlinux`" in one.ours, "libc.so.6`" in one.ours) for one in (both, program, kernel)],
             [(True, True), (False, True), (True, False)])
# Two processes that compute on one CPU: while one of them runs, the other is ready. One that sleeps is not.
COMPUTES = "import os, sys, time; os.sched_setaffinity(0, {int(sys.argv[1])}); sys.stdin.read(1)\nwhile time.process_time() < 0.3: pass"
cpu = min(os.sched_getaffinity(0))
pair = [subprocess.Popen([sys.executable, "-S", "-c", COMPUTES, str(cpu)], stdin=subprocess.PIPE) for _ in range(2)]
with toolkit.Alone("offcputime", "-K", "-p", pair[0].pid) as ready:
    for one in pair:
        one.stdin.write(b"x")
        one.stdin.flush()
    for one in pair:
        one.wait()
is_ready = r"^\S+ is ready: it waits for a CPU\n(?:\s*[\w.]+`\S+\n)+\s*(\d+) us$"
toolkit.same(f"ready: {ready.ours}", sum(map(int, re.findall(is_ready, ready.ours, re.M))) >= 100000, True)
both.is_compared()
theirs = sum(int(us) for us in re.findall(rf"\({naps.pid}\)\n\s+(\d+)$", both.theirs, re.M))
toolkit.same(f"bcc's {theirs} of {ours} us", abs(ours - theirs) <= slack * ours + 5000, True)
