# A program that makes another CPU start and stop a clock, forty times.
import os
import subprocess
import sys
import tempfile

DTRACE, SKIP = os.environ["DTRACE"], 77
CALLS = 40
PROGRAM = f"""
import ctypes, fcntl, os, struct
own, other = sorted(os.sched_getaffinity(0))[:2]
os.sched_setaffinity(0, {{own}})
clock = ctypes.create_string_buffer(struct.pack("IIQQQQQ", 1, 128, 0, 0, 0, 0, 1).ljust(128, b"\\0"))  # disabled
event = ctypes.CDLL(None).syscall(298, clock, -1, other, -1, 0)
os.getppid()
for i in range({CALLS // 2}):
    fcntl.ioctl(event, 0x2400)  # PERF_EVENT_IOC_ENABLE
    fcntl.ioctl(event, 0x2401)
os.getppid()
"""
if len(os.sched_getaffinity(0)) < 2:
    print("skipped: one CPU only")
    sys.exit(SKIP)
listed = subprocess.run([DTRACE, "-ln", "sysinfo:::xcalls"], capture_output=True, text=True, timeout=60)
if listed.returncode != 0:
    print(f"skipped: {listed.stderr.splitlines()[0]}")
    sys.exit(SKIP)
SCRIPT = """
int on;
syscall::getppid:entry /pid == $target/ { on = !on; }
sysinfo:::xcalls /on && pid == $target/ { @ = sum(args[0]); }
END { printa("%@d\\n", @); }
"""
with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
    program.write(PROGRAM)
    program.flush()
    done = subprocess.run([DTRACE, "-qn", SCRIPT, "-c", f"{sys.executable} {program.name}"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
print(done.stdout, done.stderr)
if done.returncode != 0 or done.stdout.split() != [str(CALLS)]:
    sys.exit(f"wanted {CALLS} calls")
