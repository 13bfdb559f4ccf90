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
