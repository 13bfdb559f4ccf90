# printa() in one clause and clear() in another of the same probe act on one moment of an
# aggregation: what is counted between their records is printed the next time. So all that is
# printed adds up to what happened, whenever the consumer is stopped, however long the firing takes
# from one record to the other, and whatever other firings print in between.
# @@timeout: 120
# @@host
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, EVENTS, workload  # noqa: E402

CALLS = 300000 * EVENTS
COUNT = "syscall::getppid:entry /pid == $target/ { @ = count(); }"
KEYED = "syscall::getppid:entry /pid == $target/ { @[probefunc] = count(); }"
SHOWN = 'printa("%@d\\n", @)'
SHOW, CLEAR, TRUNC = "profile-97 { " + SHOWN + "; }", "profile-97 { clear(@); }", "profile-97 { trunc(@); }"
SLOWLY = "profile-97 { chill(1500000); }"
CALL = "syscall::getppid:return /pid == $target/ { n++; }"
OFTEN = "syscall::getppid:return /pid == $target && n %% 500 == 0/ { %s; }"
OTHERS = 'profile-499 { printa("other %@d\\n", @); } profile-199 { printf("line\\n"); }'
END = 'END { printa("%@d\\n", @); }'


def check(name, script):
    process = subprocess.Popen(
        [DTRACE, "-q", "-w", "-n", script, "-c", f"{workload('getppid')} {CALLS}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stopper = subprocess.Popen([sys.executable, __file__, str(process.pid)])
    out, err = process.communicate()
    stopper.kill()
    stopper.wait()
    if process.returncode != 0 or " drop" in err:
        sys.exit(f"{name}: exit status {process.returncode}: {err}")
    printed = [int(n) for n in re.findall(r"^(\d+)$", out, re.M)]
    if sum(printed) != CALLS:
        sys.exit(f"{name}: {CALLS} calls, but {sum(printed)} were printed, in {len(printed)} parts")
    if sum(n > 0 for n in printed) < 2:
        sys.exit(f"{name}: all was printed at once, which shows nothing")


if len(sys.argv) > 1:  # the one who stops it
    pid = int(sys.argv[1])
    try:
        while True:
            time.sleep(random.uniform(0, 0.02))
            os.kill(pid, signal.SIGSTOP)
            time.sleep(random.uniform(0, 0.03))
            os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        sys.exit(0)

check("two clauses", COUNT + SHOW + CLEAR + END)
check("often", COUNT + CALL + OFTEN % SHOWN + OFTEN % "clear(@)" + END)
check("slowly", COUNT + SHOW + SLOWLY + CLEAR + END)
check("others between them", COUNT + OTHERS + SHOW + SLOWLY + CLEAR + END)
check("some do not act", COUNT + OTHERS + "profile-97 { this->acts = n++ % 3 == 0; }" +
      "profile-97 /this->acts/ { " + SHOWN + "; }" + SLOWLY + "profile-97 /this->acts/ { clear(@); }" +
      "profile-97 /n < 0/ { clear(@); }" + END)
# Each read of keys waits for the kernel, so there must not be too many.
check("with a key", KEYED + (SHOW + SLOWLY + TRUNC).replace("profile-97", "tick-20ms") +
      OTHERS.replace("499", "7") + END)
print("what is printed is what happened")
