# Programs that sleep for a known time: tools/naptime.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with toolkit.Alone("naptime", "-n", "sleep") as every, toolkit.Alone("naptime", "-n", "sleep", "-m", 20) as long_ones, \
        toolkit.Alone("naptime", "-p", os.getpid()) as of_another:
    sleepers = [subprocess.Popen(["sleep", seconds]) for seconds in ("0.01", "0.021", "0.01")]
    for sleeper in sleepers:
        sleeper.wait()
    for one in every, long_ones:
        one.shows(rf" {sleepers[1].pid} +0\.021\n")
    every.shows(rf"(?s) {sleepers[0].pid} .* {sleepers[2].pid} | {sleepers[2].pid} .* {sleepers[0].pid} ")
parent = open("/proc/self/comm").read().strip()
rows = [re.findall(rf"^\S+ \S+ \S+ \S+ +{parent} +{os.getpid()} +sleep +(\d+) +(\d+\.\d{{3}})$", one.ours, re.M)
        for one in (every, long_ones, of_another)]
truth = list(zip([str(sleeper.pid) for sleeper in sleepers], ("0.010", "0.021", "0.010")))
toolkit.same("sleeps", [sorted(some) for some in rows], [sorted(truth), truth[1:2], []])

# Sleeps until a point of time, as Python's own: by both clocks, until a time that has passed, and by another clock.
PROGRAM = """
import ctypes, sys, time
libc = ctypes.CDLL(None)
def until(clock, ns): libc.clock_nanosleep(clock, 1, (ctypes.c_long * 2)(ns // 1000000000, ns % 1000000000), None)
sys.stdin.read(1)
until(time.CLOCK_MONOTONIC, time.monotonic_ns() + 200000000)
until(time.CLOCK_REALTIME, time.time_ns() + 300000000)
until(time.CLOCK_MONOTONIC, time.monotonic_ns() - 1)
until(time.CLOCK_BOOTTIME, 1)
libc.usleep(1000)
"""
with subprocess.Popen([sys.executable, "-IS", "-c", PROGRAM], stdin=subprocess.PIPE) as sleeper, \
        toolkit.Alone("naptime", "-p", sleeper.pid) as mine, toolkit.Alone("naptime", "-p", sleeper.pid, "-m", 10000) as long_ones:
    sleeper.communicate(b"x")
    mine.shows(r" 0\.001\n")
naps = [float(seconds) for seconds in re.findall(rf" +{sleeper.pid} +(\S+)$", mine.ours, re.M)]
toolkit.same(f"sleeps until a time: {mine.ours}", len(naps), 4)
toolkit.same(f"how long: {naps}", [0 < naps[0] <= 0.2, 0 < naps[1] <= 0.3, *naps[2:]], [True, True, 0, 0.001])
toolkit.same("long ones", toolkit.rows(long_ones.ours), [])
