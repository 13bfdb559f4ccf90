# Variables of other kernels, beside what this machine says of itself.
import os
import subprocess
import sys
import time

DTRACE = os.environ["DTRACE"]
SCRIPT = r"""
BEGIN
{
	printf("%d.%02d %d.%02d %d.%02d\n",
	    `hp_avenrun[0] / 65536, `hp_avenrun[0] % 65536 * 100 / 65536,
	    `hp_avenrun[1] / 65536, `hp_avenrun[1] % 65536 * 100 / 65536,
	    unix`hp_avenrun[2] / 65536, unix`hp_avenrun[2] % 65536 * 100 / 65536);
	printf("%d %d %d %d %d\n", genunix`physmem, `_pagesize, 1 << `_pageshift, `ncpus, `ncpus_online);
	printf("%d\n", `freemem);
	printf("%d %d %d\n", `hz * `nsec_per_tick, `lbolt, `time_uptime);
	printf("%s\n%s\n%s\n%s\n%s\n", `utsname.sysname, `utsname.nodename, `utsname.release, `utsname.version,
	    `utsname.machine);
	printf("%s %s %s\n", `osrelease, `platform, `architecture);
	printf("%d\n", `mpid);
	exit(0);
}
"""


def same(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, wanted {want}")


def loads():
    return open("/proc/loadavg").read().split()[:3]


def memory(name):
    for line in open("/proc/meminfo"):
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024


def run(script, *words):
    done = subprocess.run([DTRACE, "-qn", script, *words], capture_output=True, text=True, timeout=120)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


# The kernel computes its load averages every five seconds.
while True:
    before, started = loads(), time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    lines = run(SCRIPT)
    ended = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    if loads() == before:
        break
print("\n".join(lines))
same("load averages", lines[0].split(), before)
page, cpus = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_NPROCESSORS_ONLN")
total = memory("MemTotal")
same("pages and CPUs", list(map(int, lines[1].split())), [total // page, page, page, cpus, cpus])
free = int(lines[2]) * page
if not 0 < free < total or abs(free - memory("MemFree")) > total // 2:
    sys.exit(f"free memory: {free}, wanted about {memory('MemFree')}")
second, ticks, uptime = map(int, lines[3].split())
same("a second of ticks", second, 10**9)
if not started // 10**7 <= ticks <= ended // 10**7 or not started // 10**9 <= uptime <= ended // 10**9:
    sys.exit(f"the time since the boot: {ticks} ticks, {uptime} s")
same("names of the system", lines[4:9], list(os.uname()))
same("again", lines[9].split(), [os.uname().release, os.uname().machine, os.uname().machine])
newest = int(lines[10])
if not 0 < newest < 1 << 22:
    sys.exit(f"the newest process: {newest}")

# What programs read changes while they run: free memory, as a child of this process takes and keeps some.
TAKES = "x = bytearray(256 << 20); print(flush=True); input()"
taker = None
tracer = subprocess.Popen([DTRACE, "-q", "-x", "switchrate=10ms", "-n", r'tick-20ms { printf("%d\n", `freemem); }'],
                          stdout=subprocess.PIPE, text=True)
try:
    before = int(tracer.stdout.readline())
    values = {before}
    end = time.monotonic() + 120
    taker = subprocess.Popen([sys.executable, "-c", TAKES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    taker.stdout.readline()
    while len(values) < 2 and time.monotonic() < end:
        values.add(int(tracer.stdout.readline()))
finally:
    if taker:
        taker.communicate("\n", timeout=60)
    tracer.terminate()
    tracer.communicate(timeout=60)
if len(values) < 2:
    sys.exit(f"free memory was always {values}")

# What Linux does not have is refused by its name.
done = subprocess.run([DTRACE, "-e", "-n", "BEGIN { trace(`lotsfree); }"], capture_output=True, text=True, timeout=60)
if done.returncode != 1 or "failed to resolve `lotsfree" not in done.stderr:
    sys.exit(done.stderr)
done = subprocess.run([DTRACE, "-e", "-n", 'BEGIN { trace(machine_number("lines")); }'], capture_output=True, text=True,
                      timeout=60)
if done.returncode != 1 or "argument #1 must be the name of a number of the machine [D_PROTO_ARG]" not in done.stderr:
    sys.exit(done.stderr)
