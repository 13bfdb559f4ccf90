# A program that makes known calls between two of getppid(); the kernel's own count of its switches.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

SCRIPT = """
int on;
syscall::getppid:entry /pid == $target/ { on = !on; }
sysinfo:::msg, sysinfo:::sema, sysinfo:::sysexec, sysinfo:::sysread, sysinfo:::syswrite, sysinfo:::nthreads,
sysinfo:::readch, sysinfo:::writech, sysinfo:::pswitch, sysinfo:::inv_swtch
/on && tid == $target/
{
	@count[probename] = count();
	@sum[probename] = sum(args[0]);
	@other[probename] = sum(arg1);
}
END { printa("%s %@d %@d %@d\\n", @count, @sum, @other); }
"""
while True:
    done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", workload("counts")],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    # A thread that leaves its CPU in the middle of a program keeps the kernel from running it for others.
    if "drop" not in done.stderr:
        break
    again(done.stderr)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
print(done.stdout)
have = {name: (int(count), int(total), int(other))
        for name, count, total, other in re.findall(r"^(\w+) (\d+) (\d+) (\d+)$", done.stdout, re.M)}
switches, involuntary = map(int, re.search(r"switches (\d+) involuntary (\d+)", done.stdout).groups())
for name, count, total in (("msg", 7, 7), ("sema", 2, 2), ("sysexec", 1, 1), ("nthreads", 1, 1),
                           ("sysread", 11, 11), ("syswrite", 8, 8), ("readch", 10, 136), ("writech", 7, 130)):
    if have[name] != (count, total, 0):
        sys.exit(f"{name}: {have[name]}, wanted {count} with {total} in all")
# Between the kernel's two counts and the calls beside them there may be a switch at each end.
for name, wanted in (("pswitch", switches), ("inv_swtch", involuntary)):
    if not wanted - 2 <= have[name][0] <= wanted or have[name][1] != have[name][0]:
        sys.exit(f"{name}: {have[name]}, the kernel has counted {wanted}")
if switches < 11 or involuntary < 2:
    sys.exit("the program was not made to switch")
