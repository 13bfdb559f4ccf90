"""A process that takes naps when it is told to, and is asleep before and after."""
import json
import os
import subprocess
import sys
import time

PROGRAM = """
import os, sys, time
naps, seconds = int(sys.argv[1]), float(sys.argv[2])
while os.read(0, 1):
    wall, used = time.monotonic(), time.thread_time()
    for _ in range(naps):
        time.sleep(seconds)
    away = (time.monotonic() - wall) - (time.thread_time() - used)
    os.write(1, b"%f\\n" % away)
"""
LIMIT_S = 60


class Naps:
    def __init__(self, naps, seconds):
        self.process = subprocess.Popen([sys.executable, "-S", "-c", PROGRAM, str(naps), str(seconds)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid

    def __enter__(self):
        self.take()  # it has started, and everything is there
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(LIMIT_S)

    def take(self):
        """Naps; seconds that it was away from its CPU meanwhile."""
        self.process.stdin.write(b"x")
        self.process.stdin.flush()
        away = float(self.process.stdout.readline())
        self._sleeps()
        return away

    def _status(self):
        with open(f"/proc/{self.pid}/status") as file:
            return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)

    def _sleeps(self):
        """Waits until it does: its state says so a little before it leaves its CPU."""
        end, before = time.monotonic() + LIMIT_S, -1
        while not (self._status()["State"].startswith("S") and self.switches() == before):
            if time.monotonic() > end:
                sys.exit("the process never waits for the next word")
            before = self.switches()
            time.sleep(0.02)

    def switches(self):
        """How often it has left a CPU."""
        status = self._status()
        return int(status["voluntary_ctxt_switches"]) + int(status["nonvoluntary_ctxt_switches"])
