#!/usr/bin/env python3
"""on-cpu is about the thread that comes, though another runs: who it is, what it has kept, and its time until off-cpu."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402

DTRACE = os.environ["DTRACE"]
WORK = r"""
import os, resource, time
os.setgid(23456)
os.setuid(12345)
print("as", os.getppid(), flush=True)
for _ in range(30):
    time.sleep(0.005)
    sum(range(20000))
usage = resource.getrusage(resource.RUSAGE_SELF)
print("used", int((usage.ru_utime + usage.ru_stime) * 1e6), flush=True)
"""
SCRIPT = r"""
int64_t kept;
sched:::on-cpu
/pid == $target/
{
	self->on = timestamp;
	self->kept++;
	@on = count();
	@who[pid, tid, ppid, uid, gid, execname, curthread->pid, curpsinfo->pr_pid] = count();
	@wrong = sum(self->kept != kept + 1 || curthread->on_cpu > 1);
	kept = self->kept;
}
sched:::on-cpu /pid == $target/ { @stacks[stack(1)] = count(); }
sched:::on-cpu /pid == $target/ { @times = max(vtimestamp); }
sched:::on-cpu /pid == $target/ { @deep = min(stackdepth); @called = min(caller); }
sched:::off-cpu
/pid == $target && self->on/
{
	@off = count();
	@time = sum((timestamp - self->on) / 1000);
	@kept = max(self->kept);
	self->on = 0;
}
END
{
	printa("on %@d\n", @on);
	printa("off %@d\n", @off);
	printa("wrong %@d\n", @wrong);
	printa("kept %@d\n", @kept);
	printa("deep %@d\n", @deep);
	printa("called %@d\n", @called);
	printa("time %@d\n", @time);
	printa("vtimestamp %@d\n", @times);
	printa("who %d %d %d %d %d %s %d %d %@d\n", @who);
}
"""
# Before 6.4 no thread-local variables can be made there.
IS_OLD = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < (6, 4)
if IS_OLD:
    SCRIPT = re.sub(r"self->(\w+)", r"of_\1[tid]", SCRIPT.replace("max(vtimestamp)", "max(0)"))
    SCRIPT = "int64_t of_on[pid_t];\nint64_t of_kept[pid_t];\n" + SCRIPT


def taken_us():
    """What interrupts and the hypervisor have taken of the CPUs: the kernel's clock of a thread may leave it out."""
    with open("/proc/stat") as stat:
        fields = stat.readline().split()
    return sum(map(int, fields[6:9])) * 1_000_000 // os.sysconf("SC_CLK_TCK")


while True:
    before_us = taken_us()
    done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", f"{sys.executable} -c '{WORK}'"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    if "drop" not in done.stderr:
        break
    again(done.stderr)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
print(done.stdout)
have = {name: int(value) for name, value in re.findall(r"^(\w+) (-?\d+)$", done.stdout, re.M)}
if have["on"] < 30 or have["on"] != have["off"] or have["wrong"] != 0 or have["kept"] != have["on"]:
    sys.exit("it did not leave as often as it came, or has not kept its variable")
# The kernel's clock of the thread stands a little before and behind ours, at each switch.
SWITCH_US = 300
slack_us = 0.3 * have["used"] + SWITCH_US * have["on"] + taken_us() - before_us
if abs(have["time"] - have["used"]) > slack_us:
    sys.exit(f"{have['time']} us on the CPU, the kernel says {have['used']}")
if not IS_OLD and not have["time"] * 0.5 < have["vtimestamp"] / 1000 < have["time"] * 1.3 + SWITCH_US * have["on"]:
    sys.exit("vtimestamp is not the time it was on the CPU before")
# A thread that comes for the first time has one frame, which nobody has called; addresses of the kernel are below 0.
if have["deep"] < 1 or not -2**47 <= have["called"] < 0:
    sys.exit("its stack has no depth or no caller")
(parent,) = re.findall(r"^as (\d+)$", done.stdout, re.M)
rows = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("who")]
target = rows[0][0]
for row in rows:
    if row[:3] != [target, target, parent] or row[6:8] != [target, target]:
        sys.exit(f"another thread: {row}")
if not any(row[3:5] == ["12345", "23456"] for row in rows) or not any(row[5].startswith("python") for row in rows):
    sys.exit("its user, its group or its name is not seen")
refused = subprocess.run([DTRACE, "-n", "sched:::on-cpu { ustack(); }"], capture_output=True, text=True, timeout=60)
if refused.returncode != 1 or "ustack( ) is not available at a probe whose thread does not run yet" not in refused.stderr:
    sys.exit(f"ustack() is not refused: {refused.stderr}")
# A thread comes back with the user stack with which it left, which can be had there.
if "hint: the thread left its CPU with the same memory and stack: keep it at sched:::off-cpu, as self->s = ustack()" not in refused.stderr:
    sys.exit(f"where its stack can be had is not said: {refused.stderr}")
